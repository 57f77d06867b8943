package io.myolotrain.worker.readings;

import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.worker.engine.Trainer;
import java.nio.FloatBuffer;

/**
 * A step that this rank has just committed, as its readings see it. The buffers are the training's own: valid and unchanged
 * only while the call lasts.
 *
 * @param gradient summed over the global batch
 * @param gradientScale of the sum to the mean
 * @param squares sum of squares of each shard of {@code gradient}
 * @param samples consumed by the job so far
 * @param startedNanos {@link System#nanoTime}
 * @param parametersComplete whether the trainer holds the updated parameters of every shard
 */
@SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
public record CommittedStep(
        Line line,
        long step,
        WorkerId worker,
        int rank,
        Trainer trainer,
        FloatBuffer gradient,
        double gradientScale,
        double[] squares,
        double loss,
        double gradientNorm,
        double learningRate,
        long samples,
        long tokens,
        long startedNanos,
        long stepMicros,
        long allReduceNanos,
        boolean parametersComplete,
        Probe probe) {

    /** Where a fixed held-out example comes from. */
    public interface Probe {
        /** Tokens of a held-out sample, one sequence long; {@code sample} is taken modulo their number. */
        int[] tokens(long sample);
    }
}
