package io.myolotrain.core.sampling;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts floats by their exponent bits: one shift and one increment per value, no logarithm. Four tables side by side, since
 * neighbours often share an exponent and an increment would wait for the one before it. Used by one thread.
 */
public final class HistogramTally {
    private static final int EXPONENTS = 256; // of a float32: 0 = zero or subnormal, 255 = infinite or NaN
    private static final int EXPONENT_SHIFT = 23;
    private static final int EXPONENT_BIAS = 127;
    private static final int MAGNITUDE = 0x7fff_ffff;
    private static final int INFINITY = 0x7f80_0000;

    private final int[] first = new int[EXPONENTS];
    private final int[] second = new int[EXPONENTS];
    private final int[] third = new int[EXPONENTS];
    private final int[] fourth = new int[EXPONENTS];

    /** @param values any floats; {@code [offset, offset + length)} is read and nothing is changed */
    public Histogram of(int layer, FloatBuffer values, int offset, int length) {
        return of(layer, values, offset, length, 1f);
    }

    /** @param scale multiplies each value first */
    public Histogram of(int layer, FloatBuffer values, int offset, int length, float scale) {
        Arrays.fill(first, 0);
        Arrays.fill(second, 0);
        Arrays.fill(third, 0);
        Arrays.fill(fourth, 0);
        int end = offset + length;
        int i = offset;
        for (; i + 4 <= end; i += 4) {
            first[exponent(scale * values.get(i))]++;
            second[exponent(scale * values.get(i + 1))]++;
            third[exponent(scale * values.get(i + 2))]++;
            fourth[exponent(scale * values.get(i + 3))]++;
        }
        for (; i < end; i++) {
            first[exponent(scale * values.get(i))]++;
        }
        return histogram(layer, values, offset, end, scale);
    }

    private static int exponent(float value) {
        return (Float.floatToRawIntBits(value) >>> EXPONENT_SHIFT) & (EXPONENTS - 1);
    }

    private int count(int exponent) {
        return first[exponent] + second[exponent] + third[exponent] + fourth[exponent];
    }

    private Histogram histogram(int layer, FloatBuffer values, int offset, int end, float scale) {
        long[] buckets = new long[Histogram.BUCKETS];
        for (int exponent = 1; exponent < EXPONENTS - 1; exponent++) {
            buckets[bucket(exponent)] += count(exponent);
        }
        var rare = new Rare();
        if (count(0) > 0 || count(EXPONENTS - 1) > 0) {
            rare.count(values, offset, end, scale);
        }
        buckets[0] += count(0) - rare.zeros;
        int low = 0;
        int high = buckets.length;
        while (low < high && buckets[low] == 0) {
            low++;
        }
        while (high > low && buckets[high - 1] == 0) {
            high--;
        }
        List<Long> counts = new ArrayList<>(high - low);
        for (int bucket = low; bucket < high; bucket++) {
            counts.add(buckets[bucket]);
        }
        int firstBucket = counts.isEmpty() ? 0 : low;
        return new Histogram(
                layer,
                firstBucket,
                counts,
                rare.zeros,
                rare.nans,
                rare.positiveInfinities,
                rare.negativeInfinities,
                maxMagnitude(values, offset, end, scale),
                sumOfSquares(values, offset, end, scale));
    }

    private static int bucket(int exponent) {
        int bucket = exponent - EXPONENT_BIAS - Histogram.LOWEST_EXPONENT;
        return Math.max(0, Math.min(Histogram.BUCKETS - 1, bucket));
    }

    /** A loop of its own, because this one the compiler turns into vector instructions. */
    private static double maxMagnitude(FloatBuffer values, int offset, int end, float scale) {
        int max = 0;
        for (int i = offset; i < end; i++) {
            int bits = Float.floatToRawIntBits(scale * values.get(i)) & MAGNITUDE;
            max = Math.max(max, bits >= INFINITY ? 0 : bits);
        }
        return Float.intBitsToFloat(max);
    }

    /** In four parts, because an addition would wait for the one before it. */
    private static double sumOfSquares(FloatBuffer values, int offset, int end, float scale) {
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int i = offset;
        for (; i + 4 <= end; i += 4) {
            first += square(scale * values.get(i));
            second += square(scale * values.get(i + 1));
            third += square(scale * values.get(i + 2));
            fourth += square(scale * values.get(i + 3));
        }
        for (; i < end; i++) {
            first += square(scale * values.get(i));
        }
        return first + second + third + fourth;
    }

    /** 0 for what is not finite. */
    private static double square(float value) {
        return Math.abs(value) <= Float.MAX_VALUE ? (double) value * value : 0;
    }

    /** What shares an exponent with something else; a second pass tells it apart, and is seldom needed. */
    private static final class Rare {
        long zeros;
        long nans;
        long positiveInfinities;
        long negativeInfinities;

        void count(FloatBuffer values, int offset, int end, float scale) {
            for (int i = offset; i < end; i++) {
                float value = scale * values.get(i);
                if (value == 0) {
                    zeros++;
                } else if (Float.isNaN(value)) {
                    nans++;
                } else if (value == Float.POSITIVE_INFINITY) {
                    positiveInfinities++;
                } else if (value == Float.NEGATIVE_INFINITY) {
                    negativeInfinities++;
                }
            }
        }
    }
}
