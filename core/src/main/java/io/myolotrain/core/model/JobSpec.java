package io.myolotrain.core.model;

/**
 * What never changes in the life of a job.
 *
 * @param attempt id of this submission: a job id that is used again is a new attempt, not a duplicate
 * @param seed seeds parameters, sample order and dropout
 * @param microBatch samples of one micro-batch; {@code globalBatch = microBatch × M}
 * @param data where the tokens come from: a directory or jar of text files, or a uint16 token file
 */
public record JobSpec(
        JobId job,
        PoolId pool,
        String attempt,
        ModelShape model,
        long seed,
        int microBatch,
        String data,
        Transport transport,
        int replicas,
        TrainingConfig initialConfig) {

    public JobSpec {
        if (microBatch < 1) {
            throw new IllegalArgumentException("microBatch must be >= 1: microBatch=" + microBatch);
        }
        if (replicas < 1 || replicas > 8) {
            throw new IllegalArgumentException("replicas must be in [1, 8]: replicas=" + replicas);
        }
    }

    /** AUTO: shared memory when every member is on one host, else Gloo (NCCL where each rank has a GPU). */
    public enum Transport {
        AUTO,
        SHARED_MEMORY,
        GLOO,
        NCCL
    }
}
