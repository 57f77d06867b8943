package io.myolotrain.worker.data;

/**
 * How a stream of tokens is cut into samples.
 *
 * <pre>
 *  | sample 0 | sample 1 | … | sample N-1 | validation 0 | … | validation V-1 | rest, unused |
 *    S+1        S+1            S+1          S+1
 * </pre>
 *
 * Samples do not overlap, so no token of a validation sample is ever trained on. The price is that the first token of a
 * sample is never a target: one token in S+1.
 *
 * @param length tokens of one sample, S+1
 * @param training samples to train on, N
 * @param validation samples held out, V
 */
record SampleCut(int length, long training, long validation) {
    private static final int VALIDATION_ONE_IN = 20;

    /** More would not make the loss estimate better, only the evaluation longer. */
    static final long VALIDATION_SAMPLES_MAX = 2_048;

    private static final int SAMPLES_MIN = 2; // one to train on, one to validate with

    static SampleCut of(long tokens, int sequenceLength, String description) {
        if (sequenceLength < 1) {
            throw new IllegalArgumentException("sequenceLength must be >= 1: sequenceLength=" + sequenceLength);
        }
        int length = Math.addExact(sequenceLength, 1);
        long samples = tokens / length;
        if (samples < SAMPLES_MIN) {
            throw new CorpusException("data is too small: needs " + (long) SAMPLES_MIN * length
                    + " tokens (two samples of sequenceLength + 1), has " + tokens + ": data=" + description
                    + " sequenceLength=" + sequenceLength
                    + "; name a larger corpus or a shorter sequenceLength");
        }
        long validation = Math.max(1, Math.min(samples / VALIDATION_ONE_IN, VALIDATION_SAMPLES_MAX));
        return new SampleCut(length, samples - validation, validation);
    }

    long trainingStart(long sample) {
        return checked(sample, training, "sample") * length;
    }

    long validationStart(long sample) {
        return (training + checked(sample, validation, "validation sample")) * length;
    }

    private static long checked(long sample, long bound, String kind) {
        if (sample < 0 || sample >= bound) {
            throw new IllegalArgumentException(kind + " must be in [0, " + bound + "): " + kind + "=" + sample);
        }
        return sample;
    }
}
