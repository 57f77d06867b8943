package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerRef;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The watches of a partition's pools, and what of them outlives a restart: one store entry per worker, plan and timer, so
 * that a change rewrites itself only. When a worker was last heard is not kept: after a restart nobody has been silent yet.
 *
 * <pre>
 * pool/w/worker#incarnation → ""            a worker that is watched
 * pool/m/job/generation     → ref,ref,…     members of a plan
 * pool/t/timer              → dueMs         a timer that has not fired
 * </pre>
 */
final class Watches {
    private final KeyValueStore<String, String> store;
    private final Supplier<LivenessTracker> liveness;
    private final SortedMap<PoolId, Watch> byPool = new TreeMap<>();

    Watches(KeyValueStore<String, String> store, Supplier<LivenessTracker> liveness) {
        this.store = store;
        this.liveness = liveness;
        try (KeyValueIterator<String, String> kept = store.all()) {
            kept.forEachRemaining(this::recall);
        }
    }

    SortedMap<PoolId, Watch> byPool() {
        return byPool;
    }

    void observe(PoolId pool, Observation seen) {
        if (seen instanceof Observation.Heard heard) {
            of(pool).heard(heard.worker());
        } else if (seen instanceof Observation.StepCommitted committed) {
            of(pool).stepCommitted(committed.job(), committed.generation(), committed.stepMs());
        } else if (seen instanceof Observation.Decided decided) {
            decided.facts().forEach(fact -> apply(pool, fact));
        }
    }

    /** A timer that fired is not kept any more. */
    void fired(PoolId pool, String timer) {
        store.delete(timerKey(pool, timer));
    }

    private void apply(PoolId pool, Fact fact) {
        if (fact instanceof Fact.WorkerAdmitted admitted) {
            WorkerRef worker = admitted.worker().ref();
            of(pool).admit(worker);
            store.put(workerKey(pool, worker), "");
        } else if (fact instanceof Fact.WorkerRemoved removed) {
            of(pool).remove(removed.worker());
            store.delete(workerKey(pool, removed.worker()));
        } else if (fact instanceof Fact.PlanIssued issued) {
            var plan = issued.plan();
            var members = Watch.members(plan);
            var dropped = of(pool).plan(plan.job(), plan.generation(), members);
            store.put(
                    planKey(pool, plan.job(), plan.generation()),
                    members.stream().map(WorkerRef::toString).collect(Collectors.joining(",")));
            dropped.forEach(generation -> store.delete(planKey(pool, plan.job(), generation)));
        } else if (fact instanceof Fact.PlanActivated activated) {
            of(pool).activated(activated.job(), activated.generation());
        } else if (fact instanceof Fact.PhaseChanged changed
                && (changed.to() == JobPhase.STOPPED || changed.to() == JobPhase.COMPLETED)) {
            of(pool).end(changed.job()).forEach(generation -> store.delete(planKey(pool, changed.job(), generation)));
        } else if (fact instanceof Fact.TimerSet set) {
            of(pool).setTimer(set.timer(), set.dueMs());
            store.put(timerKey(pool, set.timer()), Long.toString(set.dueMs()));
        } else if (fact instanceof Fact.TimerCleared cleared) {
            of(pool).clearTimer(cleared.timer());
            store.delete(timerKey(pool, cleared.timer()));
        }
    }

    private Watch of(PoolId pool) {
        return byPool.computeIfAbsent(pool, p -> new Watch(liveness.get()));
    }

    // Ids hold no '/', and a timer's name, which may, stands last.
    private void recall(KeyValue<String, String> kept) {
        String[] path = kept.key.split("/", 3);
        Watch watch = of(new PoolId(path[0]));
        switch (path[1]) {
            case "w" -> watch.admit(ref(path[2]));
            case "t" -> watch.setTimer(path[2], Long.parseLong(kept.value));
            case "m" -> {
                int slash = path[2].indexOf('/');
                watch.plan(
                        new JobId(path[2].substring(0, slash)),
                        new Generation(Long.parseLong(path[2].substring(slash + 1))),
                        refs(kept.value));
            }
            default -> throw new IllegalStateException("a kept watch is of kind w, m or t: key=" + kept.key);
        }
    }

    private static List<WorkerRef> refs(String joined) {
        return joined.isEmpty()
                ? List.of()
                : Arrays.stream(joined.split(",", -1)).map(Watches::ref).toList();
    }

    private static WorkerRef ref(String text) {
        int hash = text.lastIndexOf('#');
        return new WorkerRef(new WorkerId(text.substring(0, hash)), Long.parseLong(text.substring(hash + 1)));
    }

    private static String workerKey(PoolId pool, WorkerRef worker) {
        return pool + "/w/" + worker;
    }

    private static String planKey(PoolId pool, JobId job, Generation generation) {
        return pool + "/m/" + job + "/" + generation;
    }

    private static String timerKey(PoolId pool, String timer) {
        return pool + "/t/" + timer;
    }
}
