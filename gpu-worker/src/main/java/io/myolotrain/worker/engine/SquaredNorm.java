package io.myolotrain.worker.engine;

import java.nio.FloatBuffer;

/** Sum of squares in double precision and in one fixed order: eight interleaved sums, joined as a tree. */
final class SquaredNorm {
    private SquaredNorm() {}

    static double of(FloatBuffer values, int offset, int length) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        int end = offset + length;
        int i = offset;
        for (; i + 8 <= end; i += 8) { // eight chains of additions run side by side in the pipeline
            s0 += square(values.get(i));
            s1 += square(values.get(i + 1));
            s2 += square(values.get(i + 2));
            s3 += square(values.get(i + 3));
            s4 += square(values.get(i + 4));
            s5 += square(values.get(i + 5));
            s6 += square(values.get(i + 6));
            s7 += square(values.get(i + 7));
        }
        for (; i < end; i++) {
            s0 += square(values.get(i));
        }
        return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
    }

    private static double square(double value) {
        return value * value;
    }
}
