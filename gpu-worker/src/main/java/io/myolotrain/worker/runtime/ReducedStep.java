package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.TrainingConfig;

/**
 * A step whose gradients every holder of this record has summed, ready to be committed. It keeps what the update depends on,
 * so that a survivor can commit it under a later plan exactly as it would have been.
 *
 * @param lossMean mean over the global batch
 * @param samplesCrc CRC-32C of the ids of the samples of this rank's block
 * @param startedNanos this process's clock, {@link System#nanoTime}
 */
record ReducedStep(
        long step,
        Generation generation,
        Rank rank,
        MicroBatchRange microBatches,
        TrainingConfig config,
        int microBatchesOfAll,
        double lossMean,
        long samplePosition,
        long samplesCrc,
        long startedNanos,
        long allReduceNanos) {}
