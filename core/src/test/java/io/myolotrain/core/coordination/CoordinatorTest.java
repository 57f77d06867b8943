package io.myolotrain.core.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig.RunState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CoordinatorTest {
    private final Pool pool = new Pool();

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

    private void running(int workers, long steps, String... ids) {
        pool.join(ids);
        pool.submit(workers, steps);
        pool.applied();
        assertThat(pool.job().phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(pool.active().generation()).isEqualTo(new Generation(1));
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
    void aDeadWorkerIsReplacedByAStandbyInOnePlanWithANewGroup() {
        running(2, 100, "w1", "w2", "w3");
        List<Fact> facts = pool.failed(pool.active(), "w1", "w2");
        assertThat(facts).filteredOn(Fact.PlanIssued.class::isInstance).hasSize(1);
        assertThat(pool.members(pool.pending())).containsExactly("w1", "w3");
        assertThat(pool.pending().group()).isEqualTo(pool.pending().generation());
        assertThat(pool.pending().resumeStep()).isEmpty();
        assertThat(pool.failed(pool.active(), "w1")).singleElement().isInstanceOf(Fact.StaleIgnored.class);
    }
}
