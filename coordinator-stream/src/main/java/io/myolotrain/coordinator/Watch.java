package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the timekeeper knows of one pool: workers to listen for, members of the plans, timers to fire. */
final class Watch {
    /** The plan in force, the one that is being adopted, and one to spare for steps that come late. */
    static final int GENERATIONS_KEPT = 3;

    private static final int STEPS_PATIENCE = 2; // one step may take twice as long as the last

    /**
     * In deadlines: how long a committed step lets members that have peers be silent. Their peers notice a member that died
     * or hangs sooner than its silence shows here, and say so; a member that they still hear is late with its heartbeats
     * only. What is left for silence is a world that died as a whole.
     */
    private static final int PEERS_PATIENCE = 5;

    private static final long STEP_MAX_MS = 600_000; // a report may say anything

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

    /** The plan is in force: who was a member before and is none now has no peers. */
    void activated(JobId job, Generation generation) {
        var generations = members.get(job);
        if (generations != null && generations.containsKey(generation)) {
            var left = new TreeSet<WorkerRef>();
            generations.headMap(generation).values().forEach(left::addAll);
            generations.get(generation).forEach(left::remove);
            liveness.onTheirOwn(left);
        }
    }

    /** @return generations of the job that were kept */
    List<Generation> end(JobId job) {
        var generations = members.remove(job);
        if (generations == null) {
            return List.of();
        }
        generations.values().forEach(liveness::onTheirOwn);
        return List.copyOf(generations.keySet());
    }

    void heard(WorkerRef worker) {
        liveness.heard(worker);
    }

    /** Members are not judged before their peers could have vouched for them again: steps may be longer than the deadline. */
    void stepCommitted(JobId job, Generation generation, long stepMs) {
        var generations = members.get(job);
        if (generations != null) {
            List<WorkerRef> proven = generations.getOrDefault(generation, List.of());
            long nextSignMs = Math.max(0, Math.min(STEP_MAX_MS, stepMs) * STEPS_PATIENCE);
            long byPeersMs = proven.size() > 1 ? PEERS_PATIENCE * liveness.deadlineMs() : 0;
            liveness.vouchedFor(proven, Math.max(nextSignMs, byPeersMs));
        }
    }

    List<Event> tick(long nowMs, boolean logReachable) {
        var events = new ArrayList<Event>(timers.fire(nowMs));
        List<LivenessTracker.Lost> lost = liveness.tick(nowMs, logReachable);
        if (!lost.isEmpty()) {
            events.add(together(lost));
        }
        return events;
    }

    /** Thirty workers that die together are one change of the membership, not thirty. */
    private static Event.WorkerLost together(List<LivenessTracker.Lost> lost) {
        LivenessTracker.Lost longest = Collections.max(lost, Comparator.comparingLong(LivenessTracker.Lost::silentMs));
        List<WorkerRef> others = lost.stream()
                .map(LivenessTracker.Lost::worker)
                .filter(worker -> !worker.equals(longest.worker()))
                .toList();
        return new Event.WorkerLost(longest.worker(), longest.silentMs(), others);
    }

    static List<WorkerRef> members(Plan plan) {
        return plan.members().stream().map(m -> m.worker().ref()).toList();
    }
}
