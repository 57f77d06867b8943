package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.topics.JournalLine;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimekeeperTest {
    private static final WorkerRef A = Given.ref("a", 1);
    private static final WorkerRef B = Given.ref("b", 1);

    @TempDir
    Path directory;

    private Harness harness;

    @BeforeEach
    void start() {
        harness = new Harness(directory);
        harness.send(Given.joined(A));
        harness.send(Given.joined(B));
        harness.journal();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private List<WorkerRef> lost() {
        return harness.journal().stream()
                .map(JournalLine::event)
                .filter(Event.WorkerLost.class::isInstance)
                .map(Event.WorkerLost.class::cast)
                .flatMap(lost -> Stream.concat(Stream.of(lost.worker()), lost.others().stream()))
                .toList();
    }

    private void aliveFor(int seconds, WorkerRef... alive) {
        for (int second = 0; second < seconds; second++) {
            for (WorkerRef worker : alive) {
                harness.heartbeat(worker);
            }
            harness.pass(1_000);
        }
    }

    @Test
    void a_silent_worker_is_lost_and_the_coordinator_removes_it() {
        aliveFor(7, B);

        assertThat(lost()).containsExactly(A);
        assertThat(harness.facts())
                .filteredOn(Fact.WorkerRemoved.class::isInstance)
                .extracting(fact -> ((Fact.WorkerRemoved) fact).worker())
                .containsExactly(A);
        aliveFor(20, B);
        assertThat(lost()).isEmpty();
    }

    @Test
    void a_worker_that_was_never_admitted_cannot_be_lost() {
        harness.heartbeat(Given.ref("stranger", 1));
        aliveFor(10, A, B);

        assertThat(lost()).isEmpty();
    }

    @Test
    void a_stall_of_the_sequencer_loses_nobody() {
        aliveFor(3, A, B);
        harness.stall(60_000);
        harness.pass(200);
        aliveFor(10, A, B);

        assertThat(lost()).isEmpty();
    }

    @Test
    void a_restart_of_the_sequencer_loses_nobody_who_speaks_and_remembers_whom_to_listen_for() {
        aliveFor(3, A, B);
        harness.restart();
        harness.pass(4_000);
        aliveFor(10, B);

        assertThat(lost()).containsExactly(A);
    }

    /** What everybody has said meanwhile may stand further back in it. */
    @Test
    void nobody_is_lost_while_a_backlog_is_worked_off() {
        aliveFor(3, A, B);
        for (int read = 0; read < 50; read++) {
            harness.heartbeat(A, harness.nowMs() - 10_000);
            harness.pass(200);
        }
        assertThat(lost()).isEmpty();

        aliveFor(7, A);
        assertThat(lost()).containsExactly(B);
    }

    /** A backlog has an end; a broker whose clock is behind has none, and nobody would know why a silent worker stays. */
    @Test
    void silence_that_counts_for_nothing_is_told_each_minute() {
        for (int second = 0; second < 50; second++) {
            harness.heartbeat(A, harness.nowMs() - 1_500);
            harness.pass(1_000);
        }
        assertThat(harness.counters.all()).doesNotContainKey(Counters.SILENCE_IGNORED);

        for (int second = 0; second < 100; second++) {
            harness.heartbeat(A, harness.nowMs() - 1_500);
            harness.pass(1_000);
        }
        assertThat(harness.counters.all()).containsEntry(Counters.SILENCE_IGNORED, 2L);
        assertThat(lost()).isEmpty();
    }

    @Test
    void while_the_broker_is_out_of_reach_nobody_is_lost() {
        aliveFor(3, A, B);
        harness.reachable(false);
        harness.pass(60_000);
        harness.reachable(true);
        harness.pass(4_000);
        assertThat(lost()).isEmpty();

        aliveFor(3, A);
        assertThat(lost()).containsExactly(B);
    }

    @Test
    void peers_that_commit_a_step_vouch_for_a_worker_whose_heartbeats_are_late() {
        harness.send(Given.submitted("t1", 2));
        Plan plan = harness.plans().get(0);
        harness.send(Given.applied(plan, A, 1));
        for (int step = 1; step <= 20; step++) {
            harness.send(Given.step(plan, 0, step));
            harness.pass(1_000);
        }

        assertThat(plan.worldSize()).isEqualTo(2);
        assertThat(lost()).isEmpty();
        harness.pass(6_000);
        assertThat(lost()).as("what peers notice comes first").isEmpty();
        harness.pass(26_000);
        assertThat(lost()).as("nobody is there to take over").isEmpty();
        harness.pass(120_000);
        assertThat(lost()).containsExactlyInAnyOrder(A, B);
    }

    /** Nobody is there any more to notice its death, so nothing of what its former peers said gives it time. */
    @Test
    void a_worker_that_left_its_plan_is_judged_by_its_own_heartbeats() {
        harness.send(Given.submitted("t1", 2));
        Plan both = harness.plans().get(0);
        harness.send(Given.applied(both, A, 1));
        harness.send(Given.step(both, 0, 1));
        harness.send(Given.change("workers", "1"));
        Plan one = harness.plans().get(0);
        WorkerRef member = one.members().get(0).worker().ref();
        WorkerRef left = member.equals(A) ? B : A;
        harness.send(Given.applied(one, member, 2));
        aliveFor(7, member);

        assertThat(lost()).containsExactly(left);
    }

    @Test
    void workers_of_a_job_that_has_ended_are_judged_by_their_own_heartbeats() {
        harness.send(Given.submitted("t1", 2));
        Plan plan = harness.plans().get(0);
        harness.send(Given.applied(plan, A, 1));
        harness.send(Given.step(plan, 0, 1));
        harness.send(Given.change("state", "stopped"));
        Plan last = harness.plans().get(0);
        harness.send(Given.applied(last, A, 2));
        aliveFor(7, B);

        assertThat(lost()).containsExactly(A);
    }

    @Test
    void a_worker_that_trains_alone_has_no_peers_to_vouch_for_it() {
        harness.send(Given.submitted("t1", 1));
        Plan plan = harness.plans().get(0);
        WorkerRef member = plan.members().get(0).worker().ref();
        WorkerRef standby = member.equals(A) ? B : A;
        harness.send(Given.applied(plan, member, 1));
        harness.send(Given.step(plan, 0, 1));
        aliveFor(6, standby);

        assertThat(lost()).containsExactly(member);
    }

    @Test
    void peers_vouch_for_a_worker_between_steps_that_are_longer_than_the_deadline() {
        harness.send(Given.submitted("t1", 2));
        Plan plan = harness.plans().get(0);
        harness.send(Given.applied(plan, A, 1));
        for (int step = 1; step <= 5; step++) {
            harness.send(Given.step(plan, 0, step, 20_000_000));
            aliveFor(20, A);
        }
        assertThat(lost()).isEmpty();

        aliveFor(50, A);
        assertThat(lost()).containsExactly(B);
    }

    /** Case D23: thirty that fall silent together are one entry of the journal, and so one plan. */
    @Test
    void D23_workers_that_fall_silent_together_are_lost_together() {
        for (int i = 0; i < 30; i++) {
            harness.send(Given.joined(Given.ref("c" + i, 1)));
        }
        harness.journal();
        aliveFor(8, A, B);

        assertThat(harness.journal())
                .extracting(JournalLine::event)
                .filteredOn(Event.WorkerLost.class::isInstance)
                .singleElement()
                .satisfies(
                        event -> assertThat(((Event.WorkerLost) event).others()).hasSize(29));
        assertThat(harness.counts()).containsEntry(Counters.WORKERS_LOST, 30L);
    }

    /** A plan that nobody adopts has a deadline of the coordinator; the clock that passes it is the sequencer's. */
    @Test
    void a_timer_that_the_coordinator_set_fires_in_the_journal_once_and_after_its_deadline() {
        harness.send(Given.submitted("t1", 2));
        List<Fact.TimerSet> set = harness.facts().stream()
                .filter(Fact.TimerSet.class::isInstance)
                .map(Fact.TimerSet.class::cast)
                .toList();
        assertThat(set).isNotEmpty();
        harness.restart();
        harness.journal();

        Fact.TimerSet timer = set.get(0);
        while (harness.nowMs() < timer.dueMs() + 1_000) {
            aliveFor(1, A, B);
        }

        assertThat(harness.journal())
                .filteredOn(line -> line.event() instanceof Event.TimerFired fired
                        && fired.timer().equals(timer.timer())
                        && fired.atMs() == timer.dueMs())
                .singleElement()
                .satisfies(line -> assertThat(line.atMs()).isGreaterThanOrEqualTo(timer.dueMs()));
    }
}
