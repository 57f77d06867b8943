package io.myolotrain.cli.demo;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.PoolId;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the demo. */
final class DemoOptions {
    @Option(
            names = "--workers",
            defaultValue = "2",
            description = "Workers that the job starts with (default: ${DEFAULT-VALUE}).")
    int workers;

    @Option(names = "--pool-size", defaultValue = "4", description = "Worker processes (default: ${DEFAULT-VALUE}).")
    int poolSize;

    @Option(
            names = "--steps",
            defaultValue = "5000",
            description = "Steps until the job is complete (default: ${DEFAULT-VALUE}).")
    long steps;

    @Option(names = "--port", defaultValue = "0", description = "Port of the web UI (default: 8088 or any free one).")
    int port;

    @Option(
            names = "--kafka-port",
            defaultValue = "0",
            description = "Port of the broker (default: 9092 or any free one).")
    int kafkaPort;

    @Option(
            names = "--registry-port",
            defaultValue = "0",
            description = "Port of the registry (default: 8081 or any free one).")
    int registryPort;

    @Option(
            names = "--data",
            paramLabel = "DIR|JAR|FILE",
            description = "What to train on (default: the text of Kafka's sources).")
    @Nullable Path data;

    @Option(names = "--fresh", description = "Forget earlier demos first: their log, checkpoints and jobs.")
    boolean fresh;

    @Option(names = "--until-done", description = "End when the job is complete or stopped.")
    boolean untilDone;

    private static final int POOL_SIZE_MAX = 64;

    void check() {
        if (poolSize < 1 || poolSize > POOL_SIZE_MAX) {
            throw CommandFailure.usage(
                    "--pool-size must be in [1, " + POOL_SIZE_MAX + "]: " + poolSize, "For example --pool-size 4");
        }
        if (workers < 1 || workers > poolSize) {
            throw CommandFailure.usage(
                    "--workers must be in [1, --pool-size]: workers=" + workers + " pool-size=" + poolSize,
                    "Ask for fewer workers or a bigger pool.");
        }
        if (data != null && !Files.isReadable(data)) {
            throw CommandFailure.usage("the data must be readable: --data " + data, "Check the path and its rights.");
        }
    }

    JobSpec job(PoolId pool) {
        return DemoModel.spec(pool, data(), workers, steps);
    }

    private Path data() {
        if (data != null) {
            return data.toAbsolutePath().normalize();
        }
        Path sources =
                Path.of(System.getProperty("myolotrain.demo.data", "cli/target/demo-data/kafka-clients-sources.jar"));
        if (!Files.isReadable(sources)) {
            throw CommandFailure.error(
                    "the demo's text is not here: " + sources.toAbsolutePath(),
                    "Build once with ./myolotrain, or name another text with --data.");
        }
        return sources.toAbsolutePath().normalize();
    }
}
