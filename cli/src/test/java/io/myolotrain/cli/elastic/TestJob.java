package io.myolotrain.cli.elastic;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Collectors;

/** The one job that every scenario trains, under different names: small, two slices, with dropout. */
final class TestJob {
    static final long STEPS = 60;
    static final int MICRO_BATCH = 2;
    static final int GLOBAL_BATCH = 16;
    private static final ModelShape SHAPE = new ModelShape(ModelShape.Family.GPT, 2, 64, 4, 64, 256, 2, 0.1);

    private TestJob() {}

    static JobSpec spec(String name, PoolId pool, int workers, Path corpus) {
        return spec(name, pool, workers, corpus, STEPS);
    }

    static JobSpec spec(String name, PoolId pool, int workers, Path corpus, long steps) {
        var config = new TrainingConfig(
                workers,
                GLOBAL_BATCH,
                3e-3,
                3e-4,
                TrainingConfig.Schedule.COSINE,
                5,
                steps,
                0.1,
                0.9,
                0.95,
                1e-8,
                1.0,
                TrainingConfig.Precision.FLOAT32,
                steps,
                20,
                steps,
                TrainingConfig.RunState.RUNNING);
        return new JobSpec(
                new JobId(name),
                pool,
                "first",
                SHAPE,
                11,
                MICRO_BATCH,
                corpus.toString(),
                JobSpec.Transport.AUTO,
                2,
                config);
    }

    /** Words in a random order: something to learn, and nothing to download. */
    static Path corpus(Path directory) throws IOException {
        String[] words = {"plan", "rank", "shard", "step", "fence", "journal", "tree", "vote", "grid", "cell"};
        var random = new Random(5);
        String text =
                random.ints(60_000, 0, words.length).mapToObj(i -> words[i]).collect(Collectors.joining(" "));
        Path corpus = Files.createDirectories(directory.resolve("corpus"));
        Files.writeString(corpus.resolve("words.txt"), text, StandardCharsets.UTF_8);
        return corpus;
    }
}
