package io.myolotrain.core.simulation;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One life of a worker process: what it was offered, and the world it trains in. */
final class VirtualWorker {
    final WorkerInfo info;
    boolean alive = true;
    boolean draining;
    Generation newest = Generation.NONE;

    @Nullable Plan offered;

    boolean ready;

    /** The one it trains in, or whose state it holds while it waits for a plan. */
    @Nullable World world;

    long committed;

    /** On its way to the log. */
    final List<VirtualNetwork.Sending> sendings = new ArrayList<>();

    private final Deque<Runnable> asleep = new ArrayDeque<>();
    private boolean hangs;

    VirtualWorker(WorkerInfo info) {
        this.info = info;
    }

    WorkerRef ref() {
        return info.ref();
    }

    boolean isReadyFor(Plan plan) {
        return isUp() && ready && plan.equals(offered);
    }

    /** Alive, and does what it has to. */
    boolean isUp() {
        return alive && !hangs;
    }

    /** Now, or when it wakes; never when it dies before. */
    void act(Runnable action) {
        if (hangs) {
            asleep.add(action);
        } else if (alive) {
            action.run();
        }
    }

    void hang() {
        hangs = true;
    }

    void wake() {
        hangs = false;
        while (!asleep.isEmpty() && !hangs) {
            act(asleep.remove());
        }
    }
}
