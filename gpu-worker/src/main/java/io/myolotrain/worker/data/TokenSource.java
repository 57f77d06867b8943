package io.myolotrain.worker.data;

/** An opened corpus, cut into samples of {@code sequenceLength + 1} tokens. Thread-safe after opening. */
public interface TokenSource extends AutoCloseable {
    /** Training samples of one epoch, N >= 1. */
    long samples();

    /** Held-out samples, >= 1; disjoint from the training samples. */
    long validationSamples();

    int vocabulary();

    /**
     * Tokens of one sample and its continuation.
     *
     * @param out receives {@code sequenceLength + 1} tokens from {@code offset}: inputs are the first S, targets the last S
     */
    void read(long sample, int[] out, int offset);

    void readValidation(long sample, int[] out, int offset);

    /** SHA-256 (hex) that tells one corpus from another: two workers with different corpora must not train together. */
    String fingerprint();

    @Override
    void close();
}
