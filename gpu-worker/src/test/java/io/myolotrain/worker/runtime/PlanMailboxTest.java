package io.myolotrain.worker.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.worker.runtime.PlanMailbox.Offer;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanMailboxTest {
    private static final WorkerRef SELF = Plans.ref("w1");
    private static final WorkerRef OTHER = Plans.ref("w2");

    private final PlanMailbox mailbox = new PlanMailbox();

    @Test
    void theNewestPlanWinsAndIsTakenOnce() {
        mailbox.offer(plan(1, SELF), SELF);
        mailbox.offer(plan(2, SELF), SELF);
        assertThat(mailbox.poll()).map(Plan::generation).contains(new Generation(2));
        assertThat(mailbox.poll()).isEmpty();
    }

    @Test
    void anOlderOrRepeatedGenerationIsRefused() {
        mailbox.offer(plan(2, SELF), SELF);
        mailbox.poll();
        assertThat(mailbox.offer(plan(2, SELF), SELF)).isEqualTo(Offer.STALE);
        assertThat(mailbox.offer(plan(1, SELF), SELF)).isEqualTo(Offer.STALE);
        assertThat(mailbox.poll()).isEmpty();
    }

    @Test
    void generationsOfAnotherAttemptCountAnew() {
        mailbox.offer(plan(9, SELF), SELF);
        mailbox.poll();
        assertThat(mailbox.offer(Plans.plan("demo", "second", 1, List.of(SELF)), SELF))
                .isEqualTo(Offer.ACCEPTED);
    }

    @Test
    void aHintAboutAnotherJobDoesNotDisplaceAPlanThatNamesTheWorker() {
        mailbox.offer(plan(3, SELF), SELF);
        assertThat(mailbox.offer(Plans.plan("other", "first", 8, List.of(OTHER)), SELF))
                .isEqualTo(Offer.LESS_URGENT);
        assertThat(mailbox.poll()).map(Plan::generation).contains(new Generation(3));
    }

    @Test
    void aPlanThatDropsTheWorkerReplacesTheOneThatNamedIt() {
        mailbox.offer(plan(3, SELF), SELF);
        assertThat(mailbox.offer(plan(4, OTHER), SELF)).isEqualTo(Offer.ACCEPTED);
    }

    private static Plan plan(long generation, WorkerRef... members) {
        return Plans.plan("demo", "first", generation, List.of(members));
    }
}
