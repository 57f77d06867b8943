package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How one worker process runs.
 *
 * @param address address that peers reach this worker under, and that it binds to; loopback unless opened to other hosts
 * @param host identity of the machine; workers that say the same share memory
 * @param httpPort health and metrics, 0 = any free port
 * @param checkpointRoot directory shared by all workers of the pool
 * @param gloo offers a Gloo store, for jobs that span hosts
 */
public record WorkerOptions(
        PoolId pool,
        WorkerId worker,
        String address,
        Optional<String> host,
        int httpPort,
        Path checkpointRoot,
        int keepCheckpoints,
        boolean gloo,
        Duration heartbeatInterval) {

    public static final Duration HEARTBEAT_INTERVAL = Duration.ofMillis(500);
    public static final int KEEP_CHECKPOINTS = 3;

    public static WorkerOptions of(PoolId pool, WorkerId worker, Path checkpointRoot) {
        return new WorkerOptions(
                pool,
                worker,
                "127.0.0.1",
                Optional.empty(),
                0,
                checkpointRoot,
                KEEP_CHECKPOINTS,
                false,
                HEARTBEAT_INTERVAL);
    }
}
