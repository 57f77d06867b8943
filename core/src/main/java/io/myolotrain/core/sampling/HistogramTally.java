package io.myolotrain.core.sampling;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts floats by their exponent bits: one shift and one increment per value, no logarithm. One pass for counts, squares and
 * the largest, because reading memory is most of the work; in four parts side by side, since neighbours often share an
 * exponent, and an increment or addition would wait for the one before it. Used by one thread.
 */
public final class HistogramTally {
    private static final int EXPONENTS = 256; // of a float32: 0 = zero or subnormal, 255 = infinite or NaN
    private static final int EXPONENT_SHIFT = 23;
    private static final int EXPONENT_BIAS = 127;
    private static final int MAGNITUDE = 0x7fff_ffff;

    private static final int PARTS = 4;

    private final int[] first = new int[EXPONENTS];
    private final int[] second = new int[EXPONENTS];
    private final int[] third = new int[EXPONENTS];
    private final int[] fourth = new int[EXPONENTS];
    /** Of the last pass, of all values: an infinity or a NaN spoils both. */
    private int maxBits;

    private double squares;

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
        pass(values, offset, end, scale);
        return histogram(layer, values, offset, end, scale);
    }

    private void pass(FloatBuffer values, int offset, int end, float scale) {
        double firstSquares = 0;
        double secondSquares = 0;
        double thirdSquares = 0;
        double fourthSquares = 0;
        int oneMax = 0;
        int otherMax = 0;
        int i = offset;
        for (; i + 4 <= end; i += 4) {
            float a = scale * values.get(i);
            float b = scale * values.get(i + 1);
            float c = scale * values.get(i + 2);
            float d = scale * values.get(i + 3);
            int aBits = Float.floatToRawIntBits(a) & MAGNITUDE;
            int bBits = Float.floatToRawIntBits(b) & MAGNITUDE;
            int cBits = Float.floatToRawIntBits(c) & MAGNITUDE;
            int dBits = Float.floatToRawIntBits(d) & MAGNITUDE;
            first[aBits >>> EXPONENT_SHIFT]++;
            second[bBits >>> EXPONENT_SHIFT]++;
            third[cBits >>> EXPONENT_SHIFT]++;
            fourth[dBits >>> EXPONENT_SHIFT]++;
            oneMax = Math.max(oneMax, Math.max(aBits, bBits));
            otherMax = Math.max(otherMax, Math.max(cBits, dBits));
            firstSquares += (double) a * a;
            secondSquares += (double) b * b;
            thirdSquares += (double) c * c;
            fourthSquares += (double) d * d;
        }
        double[] rest = new double[PARTS];
        for (int part = 0; i < end; i++, part++) {
            float a = scale * values.get(i);
            int aBits = Float.floatToRawIntBits(a) & MAGNITUDE;
            first[aBits >>> EXPONENT_SHIFT]++;
            oneMax = Math.max(oneMax, aBits);
            rest[part] = (double) a * a;
        }
        maxBits = Math.max(oneMax, otherMax);
        squares = (firstSquares + rest[0]) + (secondSquares + rest[1]) + (thirdSquares + rest[2]) + fourthSquares;
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
        boolean spoilt = count(EXPONENTS - 1) > 0;
        if (count(0) > 0 || spoilt) {
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
                spoilt ? rare.maxMagnitude : Float.intBitsToFloat(maxBits),
                spoilt ? rare.sumOfSquares() : squares);
    }

    private static int bucket(int exponent) {
        int bucket = exponent - EXPONENT_BIAS - Histogram.LOWEST_EXPONENT;
        return Math.max(0, Math.min(Histogram.BUCKETS - 1, bucket));
    }

    /** What shares an exponent with something else; a second pass tells it apart, and is seldom needed. */
    private static final class Rare {
        long zeros;
        long nans;
        long positiveInfinities;
        long negativeInfinities;
        double maxMagnitude;
        /** Added up in the same order as without what is not finite: to the same bit. */
        final double[] squares = new double[PARTS];

        double sumOfSquares() {
            return squares[0] + squares[1] + squares[2] + squares[3];
        }

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
                } else {
                    maxMagnitude = Math.max(maxMagnitude, Math.abs(value));
                    squares[(i - offset) % PARTS] += (double) value * value;
                }
            }
        }
    }
}
