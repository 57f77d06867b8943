package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.topics.JournalLine;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoordinatorTopologyTest {
    private static final WorkerRef A = Given.ref("a", 1);
    private static final WorkerRef B = Given.ref("b", 1);

    @TempDir
    Path directory;

    /**
     * Case G14: names of nodes, stores and topics are kept in Kafka. Whoever changes this file changes what a running
     * coordinator finds when it is upgraded: a new store starts empty, a renamed one loses its state.
     */
    @Test
    void G14_the_topology_is_the_one_on_record() {
        try (var harness = new Harness(directory)) {
            String now = harness.topology().describe().toString();

            assertThat(now.strip()).isEqualTo(TopologyUpgrade.thisRelease().strip());
            assertThat(now).doesNotContain("KSTREAM", "KTABLE", "0000");
        }
    }

    @Test
    void a_job_and_two_workers_become_a_plan_on_both_topics() {
        try (var harness = new Harness(directory)) {
            harness.send(Given.joined(A));
            harness.send(Given.joined(B));
            harness.send(Given.submitted("t1", 2));

            Plan plan = harness.plans().get(0);
            assertThat(plan.members()).extracting(m -> m.worker().ref()).containsExactlyInAnyOrder(A, B);
            assertThat(harness.facts())
                    .filteredOn(Fact.PlanIssued.class::isInstance)
                    .extracting(fact -> ((Fact.PlanIssued) fact).plan())
                    .containsExactly(plan);
        }
    }

    @Test
    void an_illegal_change_is_refused_with_its_reason_and_the_job_goes_on() {
        try (var harness = new Harness(directory)) {
            harness.send(Given.joined(A));
            harness.send(Given.submitted("t1", 1));
            Plan plan = harness.plans().get(0);
            harness.send(Given.applied(plan, A, 1));
            harness.facts();
            harness.send(Given.change("workers", "0"));
            harness.send(Given.step(plan, 0, 1));

            assertThat(harness.facts()).hasAtLeastOneElementOfType(Fact.Refused.class);
            assertThat(harness.plans()).isEmpty();
        }
    }

    /** Case G11: the same job id, submitted again; its steps start at 1 again and are no duplicates. */
    @Test
    void G11_a_job_that_is_submitted_again_is_a_new_attempt_whose_events_count() {
        try (var harness = new Harness(directory)) {
            harness.send(Given.joined(A));
            harness.send(Given.submitted("t1", 1));
            Plan first = harness.plans().get(0);
            harness.send(Given.applied(first, A, 1));
            for (int step = 1; step <= 5; step++) {
                harness.send("t1/" + step, Given.step(first, 0, step));
            }
            harness.send(Given.change("runState", "STOPPED"));
            Plan stop = harness.plans().get(0);
            harness.send(Given.applied(stop, A, 6));
            harness.facts();

            harness.send(Given.submitted("t2", 1));
            Plan second = harness.plans().get(0);
            harness.send(Given.applied(second, A, 1));
            for (int step = 1; step <= 3; step++) {
                harness.send("t2/" + step, Given.step(second, 0, step));
            }

            assertThat(second.attempt()).isEqualTo("t2");
            assertThat(second.generation().isAfter(stop.generation())).isTrue();
            assertThat(harness.facts())
                    .filteredOn(Fact.ProgressRecorded.class::isInstance)
                    .extracting(fact -> ((Fact.ProgressRecorded) fact).step())
                    .containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void an_entry_that_the_rules_fail_on_is_put_aside_and_the_next_one_is_decided() {
        Fold.Rules core = new CoreRules();
        var failing = new Fold.Rules() {
            @Override
            public Coordinator.Outcome process(ClusterState state, JournalEntry entry) {
                if (entry.event() instanceof Event.ConfigChangeRequested) {
                    throw new IllegalStateException("a bug");
                }
                return core.process(state, entry);
            }

            @Override
            public byte[] encode(ClusterState state) {
                return core.encode(state);
            }

            @Override
            public ClusterState decode(byte[] state) {
                return core.decode(state);
            }
        };
        try (var harness = new Harness(directory, CoordinatorOptions.in(directory), () -> failing)) {
            harness.send(Given.change("workers", "2"));
            harness.send(Given.joined(A));

            assertThat(harness.deadLetters()).singleElement().satisfies(letter -> {
                assertThat(letter.topic()).isEqualTo("journal");
                assertThat(letter.reason()).contains("a bug");
            });
            assertThat(harness.facts()).hasAtLeastOneElementOfType(Fact.WorkerAdmitted.class);
        }
    }

    /** Case G17, and with it the restart of a coordinator: what follows is what would have followed anyway. */
    @Test
    void G17_a_coordinator_that_is_restarted_at_any_moment_decides_as_if_it_had_not_been() {
        for (int snapshotEvery : new int[] {1, 3, 1_000}) {
            var options = CoordinatorOptions.in(directory).withSnapshotEvery(snapshotEvery);
            try (var steady = new Harness(directory.resolve("steady" + snapshotEvery), options, CoreRules::new);
                    var shaken = new Harness(directory.resolve("shaken" + snapshotEvery), options, CoreRules::new)) {
                var life = new Life();
                for (int moment = 0; moment < Life.MOMENTS; moment++) {
                    life.live(moment, steady);
                    life.live(moment, shaken);
                    var expected =
                            steady.decisions().stream().map(Decision::facts).toList();
                    assertThat(shaken.decisions().stream().map(Decision::facts).toList())
                            .as("moment " + moment)
                            .isEqualTo(expected);
                    assertThat(shaken.journal().stream().map(JournalLine::event).toList())
                            .isEqualTo(steady.journal().stream()
                                    .map(JournalLine::event)
                                    .toList());
                    shaken.restart();
                }
            }
        }
    }

    /** A short life of a job: joins, a plan, steps, a change, a death. */
    private static final class Life {
        static final int MOMENTS = 12;
        private @Nullable Plan plan;

        void live(int moment, Harness in) {
            switch (moment) {
                case 0 -> in.send(Given.joined(A));
                case 1 -> in.send(Given.joined(B));
                case 2 -> {
                    in.send(Given.submitted("t1", 1));
                    plan = in.plans().get(0);
                }
                case 3 ->
                    in.send(Given.applied(
                            theirs(), theirs().members().get(0).worker().ref(), 1));
                case 4, 5, 6 -> in.send(Given.step(theirs(), 0, moment - 3));
                case 7 -> in.send(Given.change("workers", "two"));
                case 8 -> {
                    in.send(Given.change("workers", "2"));
                    plan = in.plans().get(0);
                }
                case 9 -> in.send(Given.applied(theirs(), A, 4));
                case 10 -> {
                    in.send(Given.step(theirs(), 0, 4));
                    in.send(Given.step(theirs(), 1, 4));
                }
                default -> in.send(new Event.WorkerLeft(B, "by its own word"));
            }
        }

        private Plan theirs() {
            return Objects.requireNonNull(plan);
        }
    }
}
