package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the timekeeper knows of one pool: workers to listen for, members of the plans, timers to fire. */
final class Watch {
    /** The plan in force, the one that is being adopted, and one to spare for steps that come late. */
    static final int GENERATIONS_KEPT = 3;

    private final LivenessTracker liveness;
    private final Timers timers = new Timers();
    private final SortedMap<JobId, TreeMap<Generation, List<WorkerRef>>> members = new TreeMap<>();

    Watch(LivenessTracker liveness) {
        this.liveness = liveness;
    }

    void admit(WorkerRef worker) {
        liveness.watch(worker);
    }

    void remove(WorkerRef worker) {
        liveness.forget(worker);
    }

    void setTimer(String timer, long dueMs) {
        timers.set(timer, dueMs);
    }

    void clearTimer(String timer) {
        timers.clear(timer);
    }

    /** @return generations of the job that are not kept any more */
    List<Generation> plan(JobId job, Generation generation, List<WorkerRef> ofPlan) {
        var generations = members.computeIfAbsent(job, j -> new TreeMap<>());
        generations.put(generation, List.copyOf(ofPlan));
        var dropped = new ArrayList<Generation>();
        while (generations.size() > GENERATIONS_KEPT) {
            dropped.add(generations.firstKey());
            generations.remove(generations.firstKey());
        }
        return dropped;
    }

    /** @return generations of the job that were kept */
    List<Generation> end(JobId job) {
        var generations = members.remove(job);
        return generations == null ? List.of() : List.copyOf(generations.keySet());
    }

    void heard(WorkerRef worker) {
        liveness.heard(worker);
    }

    void stepCommitted(JobId job, Generation generation) {
        var generations = members.get(job);
        if (generations != null) {
            liveness.heard(generations.getOrDefault(generation, List.of()));
        }
    }

    List<Event> tick(long nowMs, boolean logReachable) {
        var events = new ArrayList<Event>(timers.fire(nowMs));
        for (LivenessTracker.Lost lost : liveness.tick(nowMs, logReachable)) {
            events.add(new Event.WorkerLost(lost.worker(), lost.silentMs()));
        }
        return events;
    }

    static List<WorkerRef> members(Plan plan) {
        return plan.members().stream().map(m -> m.worker().ref()).toList();
    }
}
