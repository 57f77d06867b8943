package io.myolotrain.worker.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.sampling.Spans;
import io.myolotrain.core.training.ReductionTree;
import io.myolotrain.worker.comm.LocalCommunicator;
import io.myolotrain.worker.comm.TreeReduction;
import io.myolotrain.worker.readings.SpanRecorder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GradientBucketsTest {
    private static final int LEAVES = 7;
    private static final TreeReduction REDUCTION =
            TreeReduction.of(new ReductionTree(LEAVES), List.of(new MicroBatchRange(0, LEAVES)));

    private static FloatBuffer buffer(int floats) {
        return ByteBuffer.allocateDirect(floats * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    private static List<FloatBuffer> partials(Random random, int floats) {
        var partials = new ArrayList<FloatBuffer>();
        for (int slot = 0; slot < REDUCTION.slots(); slot++) {
            FloatBuffer partial = buffer(floats + slot).position(slot);
            for (int i = 0; i < floats; i++) {
                partial.put(slot + i, (float) random.nextGaussian());
            }
            partials.add(partial);
        }
        return partials;
    }

    private static float[] reduce(GradientBuckets buckets, List<FloatBuffer> partials, int floats, SpanRecorder spans) {
        FloatBuffer result = buffer(floats + 2).position(2);
        try (var alone = new LocalCommunicator()) {
            buckets.allReduce(alone, REDUCTION, partials, result, spans);
        }
        var sum = new float[floats];
        result.get(sum);
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000, 1", "1000, 999, 2", "1000, 64, 16", "3, 1, 3", "5, 100, 1"})
    void bucketsChangeNoBitAndHaveASpanEach(int floats, int bucket, int expectedSpans) {
        long seed = System.nanoTime();
        List<FloatBuffer> partials = partials(new Random(seed), floats);
        var spans = new SpanRecorder();
        float[] whole = reduce(new GradientBuckets(floats), partials, floats, new SpanRecorder());
        assertThat(reduce(new GradientBuckets(bucket), partials, floats, spans))
                .as("seed=%d", seed)
                .isEqualTo(whole);
        List<Spans.Collective> collectives = spans.take(0, 0).spans().stream()
                .map(span -> span.collective().orElseThrow())
                .toList();
        assertThat(collectives)
                .extracting(Spans.Collective::sequence)
                .containsExactlyElementsOf(
                        LongStream.range(0, expectedSpans).boxed().toList());
        assertThat(collectives.stream().mapToLong(Spans.Collective::bytes).sum())
                .isEqualTo((long) Float.BYTES * floats);
    }
}
