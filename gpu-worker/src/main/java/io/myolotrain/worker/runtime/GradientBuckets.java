package io.myolotrain.worker.runtime;

import io.myolotrain.core.sampling.Spans.Operation;
import io.myolotrain.core.sampling.Spans.Phase;
import io.myolotrain.worker.comm.Communicator;
import io.myolotrain.worker.comm.TreeReduction;
import io.myolotrain.worker.readings.SpanRecorder;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * The all-reduce of a gradient, bucket by bucket: each is a collective with a sequence number and a span of its own, so that
 * a slow one can be told from a slow step. Elements are summed independently of each other, so buckets change no bit.
 *
 * @param floats of one bucket; all ranks of a group must use the same
 */
record GradientBuckets(int floats) {
    /** 25 MiB, what PyTorch's DistributedDataParallel uses: long enough that starting a collective does not count. */
    static final GradientBuckets STANDARD = new GradientBuckets(25 * 1024 * 1024 / Float.BYTES);

    GradientBuckets {
        if (floats < 1) {
            throw new IllegalArgumentException("a bucket has at least one element: floats=" + floats);
        }
    }

    /**
     * @param partials of this rank, each as long as the result
     * @param result from its position on; its position stays
     */
    void allReduce(
            Communicator group,
            TreeReduction reduction,
            List<FloatBuffer> partials,
            FloatBuffer result,
            SpanRecorder spans) {
        for (int from = 0; from < result.remaining(); from += floats) {
            int start = from;
            int length = Math.min(floats, result.remaining() - from);
            long began = System.nanoTime();
            group.allReduce(
                    reduction,
                    partials.stream()
                            .map(partial -> slice(partial, start, length))
                            .toList(),
                    slice(result, start, length));
            spans.communicated(
                    Phase.ALL_REDUCE, Operation.ALL_REDUCE, (long) Float.BYTES * length, began, System.nanoTime());
        }
    }

    private static FloatBuffer slice(FloatBuffer buffer, int from, int length) {
        return buffer.slice(buffer.position() + from, length);
    }
}
