package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.model.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The coordinator's rules and the timekeeper's together, in virtual time. */
class FalseEvictionTest {
    private static final int STEPS = 100_000;
    private static final int WORKERS = 4;
    private static final long TICK_MS = 200;
    private static final long BEAT_MS = 1_000;

    private final Random random;
    private final Coordinator coordinator = new Coordinator();
    private final Watch watch =
            new Watch(CoordinatorOptions.in(java.nio.file.Path.of("unused")).livenessTracker());
    private ClusterState state = ClusterState.empty(Given.POOL);
    private long offset;
    private long nowMs = Harness.START_MS;
    private final List<Fact> facts = new ArrayList<>();

    FalseEvictionTest() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        random = new Random(seed);
    }

    @Test
    @DisplayName("D05 In 100,000 healthy steps on a busy machine nobody is evicted, however late heartbeats are")
    void lateHeartbeatsEvictNobodyWhileStepsAreCommitted() {
        for (int i = 0; i < WORKERS; i++) {
            on(Given.joined(Given.ref("w" + i, 1)));
        }
        on(Given.submitted("t1", WORKERS));
        Plan plan = ((Fact.PlanIssued) facts.stream()
                        .filter(Fact.PlanIssued.class::isInstance)
                        .findFirst()
                        .orElseThrow())
                .plan();
        on(Given.applied(plan, Given.ref("w0", 1), 1));
        facts.clear();

        var beats = new TreeMap<Long, List<Integer>>();
        long nextBeatMs = nowMs;
        long nextTickMs = nowMs;
        int late = 0;
        for (int step = 1; step <= STEPS; step++) {
            // A busy machine: most steps are quick, some take seconds, and now and then nothing runs at all.
            long stepMs = 20 + (random.nextInt(500) == 0 ? random.nextInt(8_000) : random.nextInt(60));
            for (long endMs = nowMs + stepMs; nowMs < endMs; nowMs++) {
                if (nowMs >= nextBeatMs) {
                    nextBeatMs += BEAT_MS;
                    for (int worker = 0; worker < WORKERS; worker++) {
                        int luck = random.nextInt(10);
                        late += luck < 5 ? 1 : 0;
                        if (luck > 0) { // one in ten is lost
                            long delayMs = luck < 5 ? random.nextInt(30_000) : random.nextInt(50);
                            beats.computeIfAbsent(nowMs + delayMs, at -> new ArrayList<>())
                                    .add(worker);
                        }
                    }
                }
                List<Integer> arrived = beats.remove(nowMs);
                if (arrived != null) {
                    arrived.forEach(worker -> watch.heard(Given.ref("w" + worker, 1)));
                }
                if (nowMs >= nextTickMs) {
                    nextTickMs = nowMs + TICK_MS + (random.nextInt(1_000) == 0 ? random.nextInt(20_000) : 0);
                    watch.tick(nowMs, true).forEach(this::on);
                }
            }
            int reporter = random.nextInt(WORKERS); // the other ranks' reports are late, too
            on(Given.step(plan, reporter, step, stepMs * 1_000));
        }

        assertThat(late).as("heartbeats that came late").isGreaterThan(10_000);
        assertThat(facts).noneMatch(Fact.WorkerRemoved.class::isInstance);
        assertThat(facts).noneMatch(Fact.PlanIssued.class::isInstance);
        assertThat(state.jobs().get(Given.JOB).committedStep()).isEqualTo(STEPS);
    }

    private void on(Event event) {
        Speaker.of(event).forEach(seen -> {
            if (seen instanceof Observation.Heard heard) {
                watch.heard(heard.worker());
            } else if (seen instanceof Observation.StepCommitted committed) {
                watch.stepCommitted(committed.job(), committed.generation(), committed.stepMs());
            }
        });
        Coordinator.Outcome outcome = coordinator.process(state, new JournalEntry(offset, "e" + offset, nowMs, event));
        offset++;
        state = outcome.state();
        for (Fact fact : outcome.decision().facts()) {
            if (!(fact instanceof Fact.ProgressRecorded)) {
                facts.add(fact);
            }
            if (fact instanceof Fact.WorkerAdmitted admitted) {
                watch.admit(admitted.worker().ref());
            } else if (fact instanceof Fact.WorkerRemoved removed) {
                watch.remove(removed.worker());
            } else if (fact instanceof Fact.PlanIssued issued) {
                watch.plan(issued.plan().job(), issued.plan().generation(), Watch.members(issued.plan()));
            }
        }
    }
}
