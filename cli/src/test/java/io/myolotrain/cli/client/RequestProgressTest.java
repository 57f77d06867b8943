package io.myolotrain.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RequestProgressTest {
    private static final JobId JOB = new JobId("demo");

    private final List<String> told = new ArrayList<>();
    private final RequestProgress progress = new RequestProgress("mine", JOB, told::add);

    private void decide(String eventId, Fact... facts) {
        progress.accept(new Decision(told.size(), eventId, 0, "dp-1", "hash", List.of(facts)));
    }

    private RequestProgress.Outcome now() throws InterruptedException {
        return progress.await(0, () -> false);
    }

    @Test
    void aRefusalEndsTheWay() throws InterruptedException {
        decide("mine", new Fact.Refused("demo", List.of(new Refusal("rule", "value", "next"))));
        assertThat(now().refusals()).hasSize(1);
        assertThat(now().accepted()).isFalse();
    }

    @Test
    void anotherEventsAnswerIsNotMine() throws InterruptedException {
        decide("theirs", new Fact.Refused("demo", List.of(new Refusal("rule", "value", "next"))));
        assertThat(now().refusals()).isEmpty();
    }

    @Test
    void anAcceptedChangeIsAppliedByTheFirstPlanThatIsAsNewAsItsOwn() throws InterruptedException {
        decide(
                "mine",
                new Fact.ConfigAccepted(JOB, new TreeMap<>(), DecisionFixtures.config()),
                DecisionFixtures.planIssued(JOB, 3));
        decide("later", new Fact.PlanActivated(JOB, new Generation(2), 5, 10, 0));
        assertThat(now().applied()).isEmpty();
        decide("later still", new Fact.PlanActivated(JOB, new Generation(3), 9, 42_000, 0));
        assertThat(now().applied())
                .hasValueSatisfying(applied -> assertThat(applied.firstStep()).isEqualTo(9));
        assertThat(told).hasSize(3).last().asString().contains("step 9", "42 ms");
    }

    @Test
    void aWithdrawnPlanIsFollowedByTheNextOne() throws InterruptedException {
        decide(
                "mine",
                new Fact.ConfigAccepted(JOB, new TreeMap<>(), DecisionFixtures.config()),
                DecisionFixtures.planIssued(JOB, 3));
        decide(
                "death",
                new Fact.PlanWithdrawn(JOB, new Generation(3), "a member died"),
                DecisionFixtures.planIssued(JOB, 4));
        assertThat(now().planned()).contains(new Generation(4));
        decide("applied", new Fact.PlanActivated(JOB, new Generation(4), 9, 10, 0));
        assertThat(now().applied()).isPresent();
    }

    @Test
    void anAcceptedChangeOfAJobThatRestsIsSettled() throws InterruptedException {
        decide("mine", new Fact.ConfigAccepted(JOB, new TreeMap<>(), DecisionFixtures.config()));
        assertThat(progress.await(60_000, () -> true).accepted()).isTrue();
    }
}
