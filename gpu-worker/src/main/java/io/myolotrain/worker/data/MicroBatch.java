package io.myolotrain.worker.data;

/**
 * What one forward and backward pass reads.
 *
 * @param sampleIds (B) ids in the job's order
 * @param tokens (B, S) row-major inputs
 * @param targets (B, S); positions without loss hold {@code Trainer.IGNORED}
 */
@SuppressWarnings("ArrayRecordComponent") // handed on to native code, never compared
public record MicroBatch(long[] sampleIds, int[] tokens, int[] targets) {}
