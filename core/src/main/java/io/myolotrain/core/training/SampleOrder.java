package io.myolotrain.core.training;

import io.myolotrain.core.training.RandomStreams.Site;

/**
 * The order in which a job consumes its samples: position in the job → sample id. Each epoch is a permutation of its own,
 * a function of seed and epoch alone, so a resume in mid-epoch at any worker count continues the same permutation.
 *
 * <p>Constant memory: a balanced Feistel network over the smallest even-bit domain that holds all samples, with cycle
 * walking back into range (Black and Rogaway, CT-RSA 2002). The domain is at most four times the samples, so a look-up
 * walks fewer than four times on average.
 */
public record SampleOrder(long seed, long samples) {
    public static final long SAMPLES_MAX = 1L << 60;
    private static final int ROUNDS = 6;

    public SampleOrder {
        if (samples < 1 || samples > SAMPLES_MAX) {
            throw new IllegalArgumentException("samples must be in [1, 2^60]: samples=" + samples);
        }
    }

    /** Pass over the data, from 0. */
    public long epochOf(long position) {
        return requirePosition(position) / samples;
    }

    /** @param position samples of the job before this one, over all epochs */
    public long sampleAt(long position) {
        var keys = new RandomStreams(seed).stream(Site.SAMPLE_ORDER, epochOf(position), 0, 0, 0);
        long sample = position % samples;
        do { // ends: the walk runs along a cycle of a permutation that comes back to its start, which is in range
            sample = encrypt(sample, keys);
        } while (sample >= samples);
        return sample;
    }

    private long encrypt(long value, RandomStreams.Stream keys) {
        int halfBits = halfBits();
        long mask = (1L << halfBits) - 1;
        long left = value >>> halfBits;
        long right = value & mask;
        for (int round = 0; round < ROUNDS; round++) {
            long mixed = RandomStreams.mix(right ^ keys.bits(round)) & mask;
            long swapped = left ^ mixed;
            left = right;
            right = swapped;
        }
        return left << halfBits | right;
    }

    private int halfBits() {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(samples - 1);
        return Math.max(1, (bits + 1) / 2);
    }

    private static long requirePosition(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("position must be >= 0: position=" + position);
        }
        return position;
    }
}
