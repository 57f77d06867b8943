package io.myolotrain.core.model;

/**
 * Everything about a job that may change while it runs; a change takes effect at a step boundary. Range checks that need
 * the pool or the model live in planning; this record holds only what a value can check about itself.
 *
 * @param workers data-parallel workers wanted
 * @param globalBatch samples of one step
 * @param learningRate peak rate, after warm-up
 * @param minLearningRate floor of the cosine schedule
 * @param warmupSteps linear warm-up from 0
 * @param scheduleEndStep step at which cosine reaches the floor; ignored by CONSTANT
 * @param clipNorm global-norm clipping threshold, 0 = off
 * @param checkpointEverySteps 0 = never
 * @param evalEverySteps validation interval, 0 = never
 * @param maxSteps the job completes after this many committed steps
 */
public record TrainingConfig(
        int workers,
        int globalBatch,
        double learningRate,
        double minLearningRate,
        Schedule schedule,
        long warmupSteps,
        long scheduleEndStep,
        double weightDecay,
        double beta1,
        double beta2,
        double epsilon,
        double clipNorm,
        Precision precision,
        long checkpointEverySteps,
        long evalEverySteps,
        long maxSteps,
        RunState runState) {

    public enum Schedule {
        CONSTANT,
        COSINE
    }

    /** BF16: autocast of matrix products; parameters, moments and sums stay float32. */
    public enum Precision {
        FLOAT32,
        BF16
    }

    /** What the person wants of the job. */
    public enum RunState {
        RUNNING,
        PAUSED,
        STOPPED
    }

    public TrainingConfig withRunState(RunState state) {
        return new TrainingConfig(
                workers,
                globalBatch,
                learningRate,
                minLearningRate,
                schedule,
                warmupSteps,
                scheduleEndStep,
                weightDecay,
                beta1,
                beta2,
                epsilon,
                clipNorm,
                precision,
                checkpointEverySteps,
                evalEverySteps,
                maxSteps,
                state);
    }
}
