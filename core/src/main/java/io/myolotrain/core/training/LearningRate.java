package io.myolotrain.core.training;

import io.myolotrain.core.model.TrainingConfig;

/** Schedules in steps: linear warm-up from 0, then constant, or cosine down to the floor (arXiv 1608.03983, one cycle). */
public final class LearningRate {
    private LearningRate() {}

    /**
     * @param step number of the update, from 1: the last warm-up step is the first at the peak rate
     */
    public static double at(TrainingConfig config, long step) {
        if (step < 1) {
            throw new IllegalArgumentException("updates count from 1: step=" + step);
        }
        if (step < config.warmupSteps()) {
            return config.learningRate() * step / config.warmupSteps();
        }
        return switch (config.schedule()) {
            case CONSTANT -> config.learningRate();
            case COSINE -> cosine(config, step);
        };
    }

    private static double cosine(TrainingConfig config, long step) {
        if (step >= config.scheduleEndStep()) {
            return config.minLearningRate();
        }
        double progress = (double) (step - config.warmupSteps()) / (config.scheduleEndStep() - config.warmupSteps());
        // StrictMath: the rate enters every parameter, so its bits must not depend on the JVM
        double fall = (1 + StrictMath.cos(Math.PI * Math.max(0, progress))) / 2;
        return config.minLearningRate() + (config.learningRate() - config.minLearningRate()) * fall;
    }
}
