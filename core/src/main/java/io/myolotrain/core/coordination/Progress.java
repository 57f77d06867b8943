package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;

/**
 * How far a job has come.
 *
 * @param generation that committed the step; {@link Generation#NONE} before the first step and after a roll-back
 * @param step last committed step, 0 = none
 * @param samples consumed by all steps so far
 * @param loss of the last step, NaN before the first
 */
public record Progress(Generation generation, long step, long samples, double loss) {
    public static final Progress NONE = new Progress(Generation.NONE, 0, 0, Double.NaN);
}
