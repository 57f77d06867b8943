package io.myolotrain.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SquaredNormTest {
    /** The order is part of what a job computes: blocks must not show in the last bit. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 4_095, 4_096, 4_097, 12_345})
    void equals_eight_interleaved_sums_over_the_whole_range_bit_for_bit(int length) {
        int offset = 3;
        FloatBuffer values = ByteBuffer.allocateDirect((length + 10) * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
        var random = new Random(length);
        for (int i = 0; i < values.limit(); i++) {
            values.put(i, (float) (random.nextGaussian() * Math.pow(10, random.nextInt(12) - 6)));
        }

        var sums = new double[8];
        int whole = length / 8 * 8;
        for (int i = 0; i < length; i++) {
            double value = values.get(offset + i);
            sums[i < whole ? i % 8 : 0] += value * value;
        }
        double expected = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));

        assertThat(SquaredNorm.of(values, offset, length)).isEqualTo(expected);
    }
}
