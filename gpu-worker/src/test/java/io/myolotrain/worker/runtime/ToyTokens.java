package io.myolotrain.worker.runtime;

import io.myolotrain.worker.data.TokenSource;

/** A corpus that is a formula. */
final class ToyTokens implements TokenSource {
    private static final int SAMPLES = 97;

    private final int sequenceLength;

    ToyTokens(int sequenceLength) {
        this.sequenceLength = sequenceLength;
    }

    @Override
    public long samples() {
        return SAMPLES;
    }

    @Override
    public long validationSamples() {
        return 5;
    }

    @Override
    public int vocabulary() {
        return 256;
    }

    @Override
    public void read(long sample, int[] out, int offset) {
        for (int i = 0; i <= sequenceLength; i++) {
            out[offset + i] = (int) ((sample * 31 + i * 7) % 251);
        }
    }

    @Override
    public void readValidation(long sample, int[] out, int offset) {
        read(SAMPLES + sample, out, offset);
    }

    @Override
    public String fingerprint() {
        return "00".repeat(32);
    }

    @Override
    public void close() {}
}
