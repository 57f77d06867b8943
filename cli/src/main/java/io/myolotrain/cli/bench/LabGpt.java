package io.myolotrain.cli.bench;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** The model that the training benchmarks share: 875,264 parameters, on bytes that nobody has to download. */
final class LabGpt {
    static final ModelShape SHAPE = new ModelShape(ModelShape.Family.GPT, 4, 128, 4, 128, 256, 1, 0.0);
    static final int BATCH = 8;
    static final double LEARNING_RATE = 3e-4;
    static final double WEIGHT_DECAY = 0.01;
    static final long SEED = 1;
    static final String ATTEMPT = "bench";

    private static final int CORPUS_BYTES = 1 << 20;

    private LabGpt() {}

    /** More than any measurement takes. */
    private static final long STEPS = 1_000_000;

    /** For measurements of what happens between steps: 132,352 parameters, a few milliseconds a micro-batch. */
    static final ModelShape SMALL = new ModelShape(ModelShape.Family.GPT, 2, 64, 4, 64, 256, 1, 0.0);

    static JobSpec spec(
            String job,
            PoolId pool,
            Path corpus,
            int microBatch,
            int globalBatch,
            int workers,
            long checkpointEverySteps) {
        return spec(SHAPE, job, pool, corpus, microBatch, globalBatch, workers, 2, checkpointEverySteps);
    }

    static JobSpec spec(
            ModelShape shape,
            String job,
            PoolId pool,
            Path corpus,
            int microBatch,
            int globalBatch,
            int workers,
            int replicas,
            long checkpointEverySteps) {
        var config = new TrainingConfig(
                workers,
                globalBatch,
                LEARNING_RATE,
                LEARNING_RATE,
                TrainingConfig.Schedule.CONSTANT,
                0,
                STEPS,
                WEIGHT_DECAY,
                0.9,
                0.999,
                1e-8,
                0,
                TrainingConfig.Precision.FLOAT32,
                checkpointEverySteps,
                0,
                STEPS,
                TrainingConfig.RunState.RUNNING);
        return new JobSpec(
                new JobId(job),
                pool,
                ATTEMPT,
                shape,
                SEED,
                microBatch,
                corpus.toString(),
                JobSpec.Transport.AUTO,
                replicas,
                config);
    }

    /** The same configuration for a job that ends, with its last step saved. */
    static TrainingConfig withSteps(TrainingConfig c, long steps) {
        return new TrainingConfig(
                c.workers(),
                c.globalBatch(),
                c.learningRate(),
                c.minLearningRate(),
                c.schedule(),
                c.warmupSteps(),
                steps,
                c.weightDecay(),
                c.beta1(),
                c.beta2(),
                c.epsilon(),
                c.clipNorm(),
                c.precision(),
                c.checkpointEverySteps(),
                c.evalEverySteps(),
                steps,
                c.runState());
    }

    static Path corpus(Path directory) throws IOException {
        Path corpus = Files.createDirectories(directory.resolve("corpus"));
        var random = new Random(SEED);
        byte[] bytes = new byte[CORPUS_BYTES];
        int state = 0;
        for (int i = 0; i < bytes.length; i++) {
            state = (state * 31 + 7 + random.nextInt(4)) & 63;
            bytes[i] = (byte) (' ' + state);
        }
        Files.write(corpus.resolve("bytes.txt"), bytes);
        return corpus;
    }
}
