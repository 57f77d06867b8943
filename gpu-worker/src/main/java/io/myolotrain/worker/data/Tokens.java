package io.myolotrain.worker.data;

/** One stream of tokens, addressed by index. Thread-safe after opening. */
interface Tokens extends AutoCloseable {
    long count();

    /** Reads tokens {@code [from, from + count)} into {@code out} from {@code offset}. */
    void read(long from, int count, int[] out, int offset);

    /** SHA-256 (hex) that tells this stream from another. */
    String fingerprint();

    /** What was opened, for messages. */
    String description();

    @Override
    void close();
}
