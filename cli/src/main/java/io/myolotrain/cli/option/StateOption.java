package io.myolotrain.cli.option;

import io.myolotrain.core.model.PoolId;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --state}: the directory of everything that outlives a process. */
public final class StateOption {
    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "Directory of broker data, checkpoints and logs (default: .myolotrain beside the program, or "
                    + "$MYOLOTRAIN_STATE).")
    private @Nullable Path state;

    public Path directory() {
        Path chosen = state != null
                ? state
                : Optional.ofNullable(System.getenv("MYOLOTRAIN_STATE"))
                        .map(Path::of)
                        .orElseGet(() -> Path.of(System.getProperty("myolotrain.home", ""), ".myolotrain"));
        return chosen.toAbsolutePath().normalize();
    }

    public Path kafka() {
        return directory().resolve("kafka");
    }

    public Path logs() {
        return directory().resolve("logs");
    }

    /** Checkpoints of jobs, shared by the workers of this machine. */
    public Path jobs() {
        return directory().resolve("jobs");
    }

    /** What a pool's web UI has read. */
    public Path ui(PoolId pool) {
        return ui().resolve(pool.value());
    }

    public Path ui() {
        return directory().resolve("ui");
    }

    public Path streams() {
        return directory().resolve("streams");
    }
}
