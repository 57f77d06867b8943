package io.myolotrain.worker.checkpoint;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.TrainingConfig;
import java.util.Optional;

/**
 * What a resume needs besides parameters and moments.
 *
 * @param step last committed step
 * @param samplesConsumed job-wide index of the next sample: a checkpoint without a data position is none
 * @param generation of the plan under which it was written
 * @param dataFingerprint see {@code TokenSource.fingerprint}
 * @param parent checkpoint from which this run of the attempt went on, as {@code attempt/step}; empty from the seed
 */
public record CheckpointState(
        JobId job,
        String attempt,
        long step,
        long samplesConsumed,
        Generation generation,
        long seed,
        int microBatch,
        ModelShape model,
        TrainingConfig config,
        String dataFingerprint,
        Optional<String> parent) {}
