package io.myolotrain.core.planning;

import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.Precision;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.TrainingConfig.Schedule;

/** A configuration while keys are being set; lives for one request. */
final class ConfigDraft {
    int workers;
    int globalBatch;
    double learningRate;
    double minLearningRate;
    Schedule schedule;
    long warmupSteps;
    long scheduleEndStep;
    double weightDecay;
    double beta1;
    double beta2;
    double epsilon;
    double clipNorm;
    Precision precision;
    long checkpointEverySteps;
    long evalEverySteps;
    long maxSteps;
    RunState runState;

    @FunctionalInterface
    interface Setter<T> {
        void set(ConfigDraft draft, T value);
    }

    ConfigDraft(TrainingConfig from) {
        workers = from.workers();
        globalBatch = from.globalBatch();
        learningRate = from.learningRate();
        minLearningRate = from.minLearningRate();
        schedule = from.schedule();
        warmupSteps = from.warmupSteps();
        scheduleEndStep = from.scheduleEndStep();
        weightDecay = from.weightDecay();
        beta1 = from.beta1();
        beta2 = from.beta2();
        epsilon = from.epsilon();
        clipNorm = from.clipNorm();
        precision = from.precision();
        checkpointEverySteps = from.checkpointEverySteps();
        evalEverySteps = from.evalEverySteps();
        maxSteps = from.maxSteps();
        runState = from.runState();
    }

    TrainingConfig toConfig() {
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
                runState);
    }
}
