package io.myolotrain.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Sequencer, journal, the real coordinator, and the topics that its decisions go to. */
final class VirtualLog {
    private static final long TICK_MS = 200;
    private static final long DEADLINE_MS = 1_000;

    /** Who hears of decisions; sees to delays itself. */
    interface Readers {
        void planIssued(Plan plan);

        void workerRemoved(WorkerRef worker);
    }

    final List<JournalEntry> journal = new ArrayList<>();
    final List<Decision> decisions = new ArrayList<>();
    ClusterState state;

    private final VirtualTime time;
    private final Random random;
    private final Invariants invariants;
    private final Readers readers;
    private final Predicate<WorkerRef> beats;
    private final Coordinator coordinator = new Coordinator();
    private final TreeMap<WorkerRef, Long> heardAtMs = new TreeMap<>();
    private final TreeMap<Generation, List<WorkerRef>> members = new TreeMap<>();
    private final Deque<Event> backlog = new ArrayDeque<>();
    private boolean down;

    /** @param beats whether a sign of life of this worker reaches the log now */
    VirtualLog(
            PoolId pool,
            VirtualTime time,
            Random random,
            Invariants invariants,
            Readers readers,
            Predicate<WorkerRef> beats) {
        this.state = ClusterState.empty(pool);
        this.time = time;
        this.random = random;
        this.invariants = invariants;
        this.readers = readers;
        this.beats = beats;
        tickLater();
    }

    void arrive(Event event) {
        if (down) {
            backlog.add(event); // the topics keep it
        } else {
            decide(event);
        }
    }

    private void decide(Event event) {
        if (event instanceof Event.StepCompleted step) {
            members.getOrDefault(step.generation(), List.of())
                    .forEach(ref -> heardAtMs.replace(ref, time.nowMs())); // peers vouch
        }
        var entry = new JournalEntry(journal.size(), "e" + journal.size(), time.nowMs(), event);
        ClusterState before = state;
        Coordinator.Outcome outcome = coordinator.process(state, entry);
        journal.add(entry);
        decisions.add(outcome.decision());
        state = outcome.state();
        invariants.afterDecision(before, entry, outcome);
        outcome.decision().facts().forEach(this::publish);
    }

    private void publish(Fact fact) {
        if (fact instanceof Fact.PlanIssued issued) {
            Plan plan = issued.plan();
            members.put(
                    plan.generation(),
                    plan.members().stream().map(m -> m.worker().ref()).toList());
            readers.planIssued(plan);
        } else if (fact instanceof Fact.TimerSet timer) {
            fireLater(timer, timer.dueMs() - time.nowMs() + random.nextInt((int) TICK_MS));
        } else if (fact instanceof Fact.WorkerAdmitted admitted) {
            heardAtMs.put(admitted.worker().ref(), time.nowMs());
        } else if (fact instanceof Fact.WorkerRemoved removed) {
            heardAtMs.remove(removed.worker());
            readers.workerRemoved(removed.worker());
        }
    }

    /** A timer that was cleared may still fire: the sequencer hears of it later. */
    private void fireLater(Fact.TimerSet timer, long delayMs) {
        time.after(delayMs, () -> {
            if (down) {
                fireLater(timer, TICK_MS);
                return;
            }
            Long due = state.timers().get(timer.timer());
            if (due != null ? due == timer.dueMs() : random.nextInt(10) == 0) {
                decide(new Event.TimerFired(timer.timer(), timer.dueMs()));
            }
        });
    }

    private void tickLater() {
        time.after(TICK_MS, () -> {
            if (!down) {
                tick();
            }
            tickLater();
        });
    }

    private void tick() {
        WorkerRef first = null;
        var others = new ArrayList<WorkerRef>();
        for (var heard : heardAtMs.entrySet()) {
            if (beats.test(heard.getKey())) {
                heard.setValue(time.nowMs());
            } else if (time.nowMs() - heard.getValue() > DEADLINE_MS) {
                heard.setValue(time.nowMs());
                if (first == null) {
                    first = heard.getKey();
                } else {
                    others.add(heard.getKey());
                }
            }
        }
        if (first != null) {
            decide(new Event.WorkerLost(first, DEADLINE_MS, others));
        }
    }

    /** Nothing is decided for a while; what comes in waits. Its own sleep is not the workers' silence. */
    void restFor(long ms) {
        if (down) {
            return;
        }
        down = true;
        time.after(ms, this::getUp);
    }

    void getUp() {
        if (!down) {
            return;
        }
        down = false;
        startAgain();
        heardAtMs.replaceAll((ref, before) -> time.nowMs());
        while (!backlog.isEmpty()) {
            decide(backlog.remove());
        }
    }

    /** Another process takes over: what it knows are the facts. */
    private void startAgain() {
        ClusterState folded = ClusterState.empty(state.pool());
        for (Decision decision : decisions) {
            folded = folded.apply(decision);
        }
        assertThat(folded).as("the state is the fold of the facts").isEqualTo(state);
        state = folded;
    }
}
