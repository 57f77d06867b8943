package io.myolotrain.core.coordination;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.Optional;

/**
 * A live worker of the pool.
 *
 * @param draining asked to be planned out; never planned in again
 * @param job whose plan in force or pending plan involves it
 */
public record PoolWorker(WorkerInfo info, boolean draining, Optional<JobId> job) {

    /** What people call it. */
    public enum Status {
        STANDBY,
        ASSIGNED,
        DRAINING
    }

    public WorkerRef ref() {
        return info.ref();
    }

    public Status status() {
        if (draining) {
            return Status.DRAINING;
        }
        return job.isPresent() ? Status.ASSIGNED : Status.STANDBY;
    }

    PoolWorker drain() {
        return new PoolWorker(info, true, job);
    }

    PoolWorker assigned(Optional<JobId> to) {
        return new PoolWorker(info, draining, to);
    }
}
