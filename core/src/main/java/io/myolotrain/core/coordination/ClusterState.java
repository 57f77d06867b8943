package io.myolotrain.core.coordination;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerRef;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that the coordinator knows of a pool: the fold of all facts. Immutable; maps are ordered by key.
 *
 * @param pasts ids of which a life has ended lately, see {@link WorkerPast}
 * @param timers deadlines that the coordinator waits for, Unix milliseconds of the journal's clock
 * @param lastOffset journal offset of the last entry that was decided, -1 before the first
 */
public record ClusterState(
        PoolId pool,
        SortedMap<WorkerId, PoolWorker> workers,
        SortedMap<WorkerId, WorkerPast> pasts,
        SortedMap<JobId, JobState> jobs,
        SortedMap<String, Long> timers,
        long lastOffset) {

    public static final int WORKERS_MAX = 4_096; // further ones are refused
    static final int PASTS_MAX = 4_096; // the ones that ended first are forgotten
    public static final int JOBS_MAX = 256; // the oldest finished job is forgotten; when all are live, refused

    public ClusterState {
        workers = Collections.unmodifiableSortedMap(workers);
        pasts = Collections.unmodifiableSortedMap(pasts);
        jobs = Collections.unmodifiableSortedMap(jobs);
        timers = Collections.unmodifiableSortedMap(timers);
    }

    public static ClusterState empty(PoolId pool) {
        return new ClusterState(pool, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), -1);
    }

    /** The only way to change, live and replayed. */
    public ClusterState apply(Fact fact) {
        return fact.fold(new FactApplier(this));
    }

    /** All facts of one decision, in order, and its offset. */
    public ClusterState apply(Decision decision) {
        return applyAll(decision.facts()).at(decision.offset());
    }

    private ClusterState applyAll(List<Fact> facts) {
        ClusterState state = this;
        for (Fact fact : facts) {
            state = state.apply(fact);
        }
        return state;
    }

    ClusterState at(long offset) {
        return withLastOffset(Math.max(lastOffset, offset));
    }

    /** The same pool whose last decided entry has this offset. */
    public ClusterState withLastOffset(long offset) {
        return new ClusterState(pool, workers, pasts, jobs, timers, offset);
    }

    ClusterState withWorkers(SortedMap<WorkerId, PoolWorker> to) {
        return new ClusterState(pool, to, pasts, jobs, timers, lastOffset);
    }

    ClusterState withPasts(SortedMap<WorkerId, WorkerPast> to) {
        return new ClusterState(pool, workers, to, jobs, timers, lastOffset);
    }

    ClusterState withJobs(SortedMap<JobId, JobState> to) {
        return new ClusterState(pool, workers, pasts, to, timers, lastOffset);
    }

    ClusterState withTimers(SortedMap<String, Long> to) {
        return new ClusterState(pool, workers, pasts, jobs, to, lastOffset);
    }

    public Optional<JobState> job(JobId id) {
        return Optional.ofNullable(jobs.get(id));
    }

    public Optional<PoolWorker> worker(WorkerId id) {
        return Optional.ofNullable(workers.get(id));
    }

    /** This life of the worker is in the pool. */
    public boolean isLive(WorkerRef ref) {
        PoolWorker worker = workers.get(ref.id());
        return worker != null && worker.ref().equals(ref);
    }

    /** When a worker that died too often may be planned in again, Unix milliseconds; empty when it may be now. */
    public Optional<Long> heldBackUntilMs(WorkerRef ref) {
        return Optional.ofNullable(timers.get(Trust.timer(ref)));
    }
}
