package io.myolotrain.core.coordination;

import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerRef;
import java.util.Optional;

/**
 * A sign of life. The sequencer consumes it; only its absence reaches the journal, as {@link Event.WorkerLost}.
 *
 * @param activity empty on standby
 */
public record Heartbeat(PoolId pool, WorkerRef worker, long sequence, Optional<Activity> activity) {}
