package io.myolotrain.core.simulation;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import org.jspecify.annotations.Nullable;

/** One life of a worker process: what it was offered, and the world it trains in. */
final class VirtualWorker {
    final WorkerInfo info;
    boolean alive = true;
    boolean draining;
    Generation newest = Generation.NONE;

    @Nullable Plan offered;

    boolean ready;

    @Nullable World world;

    long committed;

    VirtualWorker(WorkerInfo info) {
        this.info = info;
    }

    WorkerRef ref() {
        return info.ref();
    }

    boolean isReadyFor(Plan plan) {
        return alive && ready && plan.equals(offered);
    }
}
