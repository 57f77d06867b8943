package io.myolotrain.core.coordination;

/**
 * A checkpoint that a job can resume from.
 *
 * @param samples samples that the job had consumed at that step
 */
public record Checkpoint(long step, String directory, long bytes, long samples) {}
