package io.myolotrain.core.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.model.TrainingConfig.RunState;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CoordinatorTest {
    private final Pool pool = new Pool();

    private void running(int workers, long steps, String... ids) {
        pool.join(ids);
        pool.submit(workers, steps);
        pool.applied();
        assertThat(pool.job().phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(pool.active().generation()).isEqualTo(new Generation(1));
    }

    @Test
    void aJobWaitsUntilAsManyWorkersAsItWantsAreThereAndStartsFromTheSeed() {
        pool.submit(2, 100);
        assertThat(pool.job().phase()).isEqualTo(JobPhase.WAITING);
        pool.join("w1");
        assertThat(pool.job().pending()).isEmpty();
        pool.join("w2");
        assertThat(pool.job().phase()).isEqualTo(JobPhase.STARTING);
        Plan plan = pool.pending();
        assertThat(pool.members(plan)).containsExactly("w1", "w2");
        assertThat(plan.resumeStep()).isEqualTo(Optional.of(0L));
        assertThat(plan.transport()).isEqualTo(Transport.SHARED_MEMORY);
        assertThat(pool.state.workers().values()).allMatch(w -> w.status() == PoolWorker.Status.ASSIGNED);
        pool.applied();
        assertThat(pool.job().phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(pool.state.timers()).isEmpty();
    }

    @Test
    void aChangeWhileAPlanIsPendingWaitsForItAndThenComesAsOnePlan() {
        running(2, 100, "w1", "w2", "w3", "w4");
        pool.change("workers", "3");
        Plan first = pool.pending();
        pool.change("lr", "0.01");
        pool.change("workers", "4");
        assertThat(pool.pending()).isSameAs(first);
        pool.applied();
        Plan second = pool.pending();
        assertThat(second.config().learningRate()).isEqualTo(0.01);
        assertThat(pool.members(second)).containsExactly("w1", "w2", "w3", "w4");
        assertThat(second.generation()).isEqualTo(first.generation().next());
        pool.applied();
        assertThat(pool.job().pending()).isEmpty();
    }

    @Test
    void aChangeOfNumbersKeepsTheGroupAndAChangeOfMembersMakesANewOne() {
        running(2, 100, "w1", "w2", "w3");
        pool.change("lr", "0.01");
        assertThat(pool.pending().generation()).isEqualTo(new Generation(2));
        assertThat(pool.pending().group()).isEqualTo(new Generation(1));
        pool.applied();
        pool.change("workers", "3");
        assertThat(pool.pending().group()).isEqualTo(new Generation(3));
        pool.applied();
        pool.change("workers", "2");
        assertThat(pool.members(pool.pending())).containsExactly("w1", "w2");
        assertThat(pool.departing(pool.pending())).containsExactly("w3");
    }

    @Test
    void anIllegalChangeIsRefusedAndTheJobGoesOnUntouched() {
        running(2, 100, "w1", "w2");
        JobState before = pool.job();
        assertThat(pool.change("workers", "0")).singleElement().isInstanceOf(Fact.Refused.class);
        assertThat(pool.change("workers", "9")).singleElement().isInstanceOf(Fact.Refused.class);
        assertThat(pool.change("batch", "33")).singleElement().isInstanceOf(Fact.Refused.class);
        assertThat(pool.job()).isSameAs(before);
    }

    @Test
    void aChangeOfAnUnknownJobIsAnsweredWithTheKnownOnes() {
        running(1, 100, "w1");
        List<Fact> facts = pool.on(new Event.ConfigChangeRequested(new JobId("jbo"), new TreeMap<>(), "alice"));
        assertThat(facts)
                .containsExactly(new Fact.Refused(
                        "jbo", List.of(new Refusal("the job must be known", "job=jbo", "known jobs: job"))));
    }

    @Test
    void aJobIdIsFreeAgainWhenItsJobIsDoneAndItsGenerationsGoOn() {
        running(1, 1, "w1");
        assertThat(pool.submit(1, 1)).singleElement().isInstanceOf(Fact.Refused.class);
        pool.step(pool.active(), 1);
        pool.applied();
        pool.on(new Event.JobSubmitted(Pool.spec(Pool.JOB, "attempt-2", 1, 5), "alice"));
        assertThat(pool.pending().attempt()).isEqualTo("attempt-2");
        assertThat(pool.pending().generation()).isEqualTo(new Generation(3));
        assertThat(pool.job().committedStep()).isZero();
    }

    @Test
    void theLastStepCompletesTheJobAndItsFinalPlanFreesTheWorkers() {
        running(2, 3, "w1", "w2");
        for (int step = 1; step <= 3; step++) {
            pool.step(pool.active(), step);
        }
        assertThat(pool.job().phase()).isEqualTo(JobPhase.COMPLETED);
        assertThat(pool.job().samples()).isEqualTo(96);
        assertThat(pool.pending().config().runState()).isEqualTo(RunState.STOPPED);
        pool.applied();
        assertThat(pool.job().active()).isEmpty();
        assertThat(pool.job().phase()).isEqualTo(JobPhase.COMPLETED);
        assertThat(pool.state.workers().values()).allMatch(w -> w.status() == PoolWorker.Status.STANDBY);
    }

    @Test
    void moreStepsLetACompletedJobGoOnFromItsLastCheckpoint() {
        running(1, 3, "w1");
        for (int step = 1; step <= 3; step++) {
            pool.step(pool.active(), step);
        }
        Plan last = pool.pending();
        pool.checkpoint(last.generation(), 3);
        pool.applied();
        pool.change("steps", "10");
        assertThat(pool.pending().resumeStep()).isEqualTo(Optional.of(3L));
        pool.applied();
        assertThat(pool.job().phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(pool.job().samples()).isEqualTo(96);
    }

    @Test
    void pauseResumeAndStopArePlans() {
        running(2, 100, "w1", "w2");
        pool.change("state", "paused");
        assertThat(pool.job().phase()).isEqualTo(JobPhase.RUNNING);
        pool.applied();
        assertThat(pool.job().phase()).isEqualTo(JobPhase.PAUSED);
        pool.change("state", "running");
        pool.applied();
        assertThat(pool.job().phase()).isEqualTo(JobPhase.RUNNING);
        pool.change("state", "stopped");
        Plan stop = pool.pending();
        pool.checkpoint(stop.generation(), 0);
        assertThat(pool.applied(stop, Pool.ref("w2")))
                .as("rank 0 has the last word")
                .isEmpty();
        pool.applied();
        assertThat(pool.job().phase()).isEqualTo(JobPhase.STOPPED);
        assertThat(pool.job().live()).isFalse();
    }

    @Test
    void stepsReportedByAllRanksCountOnceAndInOrder() {
        running(2, 100, "w1", "w2");
        Plan plan = pool.active();
        assertThat(pool.step(plan, 1)).hasSize(1);
        assertThat(pool.job().samples()).isEqualTo(32);
        pool.change("batch", "64");
        pool.on(new Event.PlanApplied(Pool.JOB, Pool.ATTEMPT, pool.pending().generation(), Pool.ref("w1"), 3, 0, 0));
        assertThat(pool.step(plan, 2)).as("a late report of the old generation").hasSize(1);
        var late = Pool.stepBy(plan, plan.members().get(0), 2);
        assertThat(pool.on(late)).isEmpty();
        assertThat(pool.job().samples()).isEqualTo(64);
    }

    @Test
    void aStepOfAStrangerOrOfANonsensicalPositionIsIgnored() {
        running(2, 100, "w1", "w2");
        Plan plan = pool.active();
        var good = Pool.stepBy(plan, plan.members().get(0), 1);
        var stranger = Pool.stepBy(
                plan, new Plan.Member(good.rank(), Pool.worker(Pool.ref("w9"), "host"), good.microBatches()), 1);
        assertThat(pool.on(stranger)).singleElement().isInstanceOf(Fact.StaleIgnored.class);
        var far = Pool.stepBy(plan, plan.members().get(0), Long.MAX_VALUE);
        assertThat(pool.on(far)).singleElement().isInstanceOf(Fact.StaleIgnored.class);
        assertThat(pool.job().committedStep()).isZero();
    }

    @Test
    void twoJobsShareAPoolAndTheFirstToAskIsServedFirst() {
        pool.join("w1", "w2", "w3");
        pool.submit(2, 100);
        JobId other = new JobId("other");
        pool.on(new Event.JobSubmitted(Pool.spec(other, "a", 2, 100), "bob"));
        assertThat(pool.state.jobs().get(other).phase()).isEqualTo(JobPhase.WAITING);
        pool.applied();
        pool.change("state", "stopped");
        pool.applied();
        assertThat(pool.state.jobs().get(other).phase()).isEqualTo(JobPhase.STARTING);
    }
}
