package io.myolotrain.worker.engine;

import java.nio.FloatBuffer;

/** Sum of squares in double precision and in one fixed order: eight interleaved sums, joined as a tree. */
final class SquaredNorm {
    private static final int LANES = 8;
    /** Values are copied to the heap in blocks: a loop over an array is several times faster than one over a buffer. */
    private static final int BLOCK = 512 * LANES;

    private SquaredNorm() {}

    static double of(FloatBuffer values, int offset, int length) {
        var sums = new double[LANES];
        var block = new float[Math.min(BLOCK, length)];
        int end = offset + length;
        for (int from = offset; from < end; from += BLOCK) {
            int count = Math.min(BLOCK, end - from);
            values.get(from, block, 0, count);
            add(block, count, sums);
        }
        return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    }

    /** What is left over at the end, less than one value a lane, goes to the first. */
    private static void add(float[] block, int count, double[] sums) {
        double s0 = sums[0];
        double s1 = sums[1];
        double s2 = sums[2];
        double s3 = sums[3];
        double s4 = sums[4];
        double s5 = sums[5];
        double s6 = sums[6];
        double s7 = sums[7];
        int i = 0;
        for (; i + LANES <= count; i += LANES) { // eight chains of additions run side by side in the pipeline
            s0 += square(block[i]);
            s1 += square(block[i + 1]);
            s2 += square(block[i + 2]);
            s3 += square(block[i + 3]);
            s4 += square(block[i + 4]);
            s5 += square(block[i + 5]);
            s6 += square(block[i + 6]);
            s7 += square(block[i + 7]);
        }
        for (; i < count; i++) {
            s0 += square(block[i]);
        }
        sums[0] = s0;
        sums[1] = s1;
        sums[2] = s2;
        sums[3] = s3;
        sums[4] = s4;
        sums[5] = s5;
        sums[6] = s6;
        sums[7] = s7;
    }

    private static double square(double value) {
        return value * value;
    }
}
