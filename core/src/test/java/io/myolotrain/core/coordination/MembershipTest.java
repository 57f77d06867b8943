package io.myolotrain.core.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig.RunState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Workers that join, drain, leave, die and lie. */
class MembershipTest {
    private final Pool pool = new Pool();

    private void running(int workers, String... ids) {
        pool.join(ids);
        pool.submit(workers, 1_000);
        pool.applied();
    }

    private static List<Fact.PlanIssued> plans(List<Fact> facts) {
        return facts.stream()
                .filter(Fact.PlanIssued.class::isInstance)
                .map(Fact.PlanIssued.class::cast)
                .toList();
    }

    @Test
    void aDrainingMemberIsReplacedByAStandbyAndHandsOver() {
        running(2, "w1", "w2", "w3");
        pool.on(new Event.WorkerDraining(Pool.ref("w1"), "maintenance"));
        assertThat(pool.members(pool.pending())).containsExactly("w2", "w3");
        assertThat(pool.departing(pool.pending())).containsExactly("w1");
        pool.applied();
        assertThat(pool.on(new Event.WorkerLeft(Pool.ref("w1"), "drained"))).hasSize(1);
        assertThat(pool.job().pending()).isEmpty();
    }

    @Test
    void withoutAStandbyTheJobShrinksAndGrowsAgainWhenOneComes() {
        running(2, "w1", "w2");
        pool.on(new Event.WorkerDraining(Pool.ref("w2"), "maintenance"));
        assertThat(pool.members(pool.pending())).containsExactly("w1");
        pool.applied();
        pool.join("w3");
        assertThat(pool.members(pool.pending())).containsExactly("w1", "w3");
    }

    @Test
    void theLastWorkerToDrainSavesTheStateAndTheJobWaits() {
        running(1, "w1");
        pool.step(pool.active(), 1);
        pool.on(new Event.WorkerDraining(Pool.ref("w1"), "shut down"));
        assertThat(pool.pending().config().runState()).isEqualTo(RunState.STOPPED);
        pool.checkpoint(pool.pending().generation(), 1);
        pool.applied();
        assertThat(pool.job().phase()).isEqualTo(JobPhase.WAITING);
        pool.on(new Event.WorkerLeft(Pool.ref("w1"), "drained"));
        pool.on(new Event.WorkerJoined(Pool.worker(Pool.ref("w1", 2), "host")));
        assertThat(pool.pending().resumeStep()).isEqualTo(Optional.of(1L));
        assertThat(pool.pending().config().runState()).isEqualTo(RunState.RUNNING);
    }

    @Test
    void aNewIncarnationReplacesTheOldOneAndAnOlderOneIsStale() {
        running(2, "w1", "w2", "w3");
        List<Fact> facts = pool.on(new Event.WorkerJoined(Pool.worker(Pool.ref("w2", 2), "host")));
        assertThat(facts.get(0)).isInstanceOf(Fact.WorkerRemoved.class);
        assertThat(plans(facts)).hasSize(1);
        assertThat(pool.members(pool.pending()))
                .as("the survivor does not wait for others")
                .containsExactly("w1");
        pool.applied();
        assertThat(pool.members(pool.pending())).containsExactly("w1", "w2");
        assertThat(pool.pending().involves(Pool.ref("w2", 2))).isTrue();
        assertThat(pool.on(new Event.WorkerJoined(Pool.worker(Pool.ref("w2", 1), "host"))))
                .singleElement()
                .isInstanceOf(Fact.StaleIgnored.class);
        assertThat(pool.on(new Event.WorkerLost(Pool.ref("w2", 1), 9_000)))
                .singleElement()
                .isInstanceOf(Fact.StaleIgnored.class);
    }

    @Test
    void severalSuspectsAreHandledInOnePlanWithANewGroup() {
        running(4, "w1", "w2", "w3", "w4");
        List<Fact> facts = pool.failed(pool.active(), "w1", "w3", "w4");
        assertThat(plans(facts)).hasSize(1);
        assertThat(pool.members(pool.pending())).containsExactly("w1", "w2");
        assertThat(pool.pending().group()).isEqualTo(pool.pending().generation());
        assertThat(pool.failed(pool.active(), "w2", "w3", "w4")).singleElement().isInstanceOf(Fact.StaleIgnored.class);
    }

    @Test
    void aBreakWithoutSuspectsFormsTheSameMembersAnewOncePerGeneration() {
        running(2, "w1", "w2");
        Plan broken = pool.active();
        assertThat(plans(pool.failed(broken, "w1"))).hasSize(1);
        assertThat(pool.members(pool.pending())).containsExactly("w1", "w2");
        assertThat(pool.pending().group()).isEqualTo(pool.pending().generation());
        assertThat(pool.failed(broken, "w2")).singleElement().isInstanceOf(Fact.StaleIgnored.class);
    }

    @Test
    void plansThatKeepFailingComeToAnEndUntilThereIsNews() {
        running(2, "w1", "w2");
        pool.failed(pool.active(), "w1");
        int issued = 1;
        while (pool.job().pending().isPresent()) {
            pool.failed(pool.pending(), "w1");
            issued++;
            assertThat(issued).isLessThan(20);
        }
        assertThat(pool.job().phase()).isEqualTo(JobPhase.WAITING);
        pool.change("lr", "0.01");
        assertThat(pool.job().pending()).isPresent();
    }

    @Test
    void whenAShardHasNoOwnerLeftTheJobGoesOnFromItsLastCheckpoint() {
        running(4, "w1", "w2", "w3", "w4");
        for (int step = 1; step <= 12; step++) {
            pool.step(pool.active(), step);
        }
        pool.checkpoint(pool.active().generation(), 10);
        Plan old = pool.active();
        pool.on(new Event.WorkerLost(Pool.ref("w2"), 6_000, List.of(Pool.ref("w3"), Pool.ref("w4"))));
        assertThat(pool.pending().resumeStep()).isEqualTo(Optional.of(10L));
        assertThat(pool.job().committedStep()).isEqualTo(10);
        assertThat(pool.on(Pool.stepBy(old, old.members().get(1), 13)))
                .as("the old world's reports count no more")
                .singleElement()
                .isInstanceOf(Fact.StaleIgnored.class);
        assertThat(pool.job().samples()).isEqualTo(320);
    }

    @Test
    void whenAllDieTheJobWaitsForAsManyAsItWants() {
        running(2, "w1", "w2");
        pool.on(new Event.WorkerLost(Pool.ref("w1"), 9_000));
        pool.on(new Event.WorkerLost(Pool.ref("w2"), 9_000));
        assertThat(pool.job().phase()).isEqualTo(JobPhase.WAITING);
        assertThat(pool.job().active()).isEmpty();
        pool.join("w5");
        assertThat(pool.job().pending()).isEmpty();
        pool.join("w6");
        assertThat(pool.members(pool.pending())).containsExactly("w5", "w6");
    }

    @Test
    void aJoinerThatCannotPrepareIsLeftOutUntilTheNextChange() {
        running(1, "w1", "w2");
        pool.change("workers", "2");
        Plan plan = pool.pending();
        List<Fact> facts =
                pool.on(new Event.PlanFailed(Pool.JOB, Pool.ATTEMPT, plan.generation(), Pool.ref("w2"), "no memory"));
        assertThat(facts)
                .anyMatch(f -> f instanceof Fact.WorkerExcluded e && e.worker().equals(Pool.ref("w2")));
        assertThat(pool.members(pool.pending())).containsExactly("w1");
        pool.applied();
        assertThat(pool.job().pending()).isEmpty();
        pool.change("workers", "2");
        assertThat(pool.members(pool.pending())).containsExactly("w1", "w2");
    }

    /** The timer of the pending plan fires when it is due. */
    private List<Fact> timeIsUp() {
        String timer = pool.state.timers().firstKey();
        long due = pool.state.timers().get(timer);
        return pool.at(due, new Event.TimerFired(timer, due));
    }

    @Test
    void aPlanThatIsNotAppliedInTimeIsTriedOnceMoreWithTwiceTheTimeAndThenWithoutItsJoiners() {
        running(1, "w1", "w2");
        pool.change("workers", "2");
        String firstTimer = pool.state.timers().firstKey();
        assertThat(timeIsUp()).noneMatch(Fact.WorkerExcluded.class::isInstance);
        assertThat(pool.members(pool.pending())).containsExactly("w1", "w2");
        assertThat(pool.state.timers().get(pool.state.timers().firstKey()) - pool.atMs)
                .isEqualTo(2 * Replanner.PLAN_DEADLINE_MS);
        assertThat(timeIsUp().get(0)).isInstanceOf(Fact.WorkerExcluded.class);
        assertThat(pool.members(pool.pending())).containsExactly("w1");
        assertThat(pool.on(new Event.TimerFired(firstTimer, pool.atMs)))
                .singleElement()
                .isInstanceOf(Fact.StaleIgnored.class);
    }

    @Test
    void aPlanThatCameIntoForceAfterItsWithdrawalIsTheTruth() {
        running(1, "w1", "w2");
        pool.change("workers", "2");
        timeIsUp();
        Plan withdrawn = pool.pending();
        timeIsUp();
        Plan instead = pool.pending();
        assertThat(instead.involves(Pool.ref("w2"))).isFalse();
        List<Fact> facts = pool.applied(withdrawn, Pool.ref("w2"));
        assertThat(facts).anyMatch(Fact.PlanActivated.class::isInstance);
        assertThat(pool.active()).isEqualTo(withdrawn);
        assertThat(pool.pending().generation().isAfter(instead.generation())).isTrue();
        assertThat(pool.pending().involves(Pool.ref("w2")))
                .as("it holds state now")
                .isTrue();
    }

    @Test
    void stateThatWasPerhapsHandedOverIsWaitedForBeforeACheckpointIsUsed() {
        running(1, "w1", "w2");
        pool.step(pool.active(), 1);
        pool.on(new Event.WorkerDraining(Pool.ref("w1"), "maintenance"));
        Plan handOver = pool.pending();
        pool.on(new Event.WorkerLeft(Pool.ref("w1"), "drained"));
        assertThat(pool.pending()).isSameAs(handOver);
        pool.applied(handOver, Pool.ref("w2"));
        assertThat(pool.active()).isEqualTo(handOver);
        assertThat(pool.job().committedStep()).isEqualTo(1);
    }

    @Test
    void stateThatWasNotHandedOverInTimeComesFromTheCheckpoint() {
        running(1, "w1", "w2");
        pool.step(pool.active(), 1);
        pool.on(new Event.WorkerDraining(Pool.ref("w1"), "maintenance"));
        pool.on(new Event.WorkerLost(Pool.ref("w1"), 9_000));
        String timer = pool.state.timers().firstKey();
        long due = pool.state.timers().get(timer);
        assertThat(due - pool.atMs).isEqualTo(Replanner.HAND_OVER_GRACE_MS);
        pool.at(due, new Event.TimerFired(timer, due));
        assertThat(pool.members(pool.pending())).containsExactly("w2");
        assertThat(pool.pending().resumeStep()).isEqualTo(Optional.of(0L));
    }

    @Test
    void theLastCheckpointOfWorkersThatAllStoppedCountsUntilAnOlderOneIsResumed() {
        running(2, "w1", "w2", "w3", "w4");
        Plan stopped = pool.active();
        pool.step(stopped, 1);
        pool.on(new Event.WorkerLeft(Pool.ref("w1"), "the process stops"));
        pool.on(new Event.WorkerLeft(Pool.ref("w2"), "the process stops"));
        assertThat(pool.pending().resumeStep()).isEqualTo(Optional.of(0L));
        assertThat(pool.checkpoint(stopped.generation(), 1))
                .singleElement()
                .isInstanceOf(Fact.CheckpointRecorded.class);
        pool.applied();
        assertThat(pool.checkpoint(stopped.generation(), 1))
                .as("the job has gone another way since")
                .singleElement()
                .isInstanceOf(Fact.StaleIgnored.class);
    }

    @Test
    void aReportOfSomebodyElsesFailureIsStale() {
        running(2, "w1", "w2", "w3");
        assertThat(pool.failed(pool.active(), "w3", "w1")).singleElement().isInstanceOf(Fact.StaleIgnored.class);
        assertThat(pool.state.workers()).hasSize(3);
    }
}
