package io.myolotrain.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.Plan;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What must hold at every event, whatever happens; numbers are the house's. */
final class Invariants {
    private final boolean nothingIsLost;

    /** Samples consumed before the step after this one, by committed step, in the lineage that counts. */
    private final TreeMap<Long, Long> samplesAfter = new TreeMap<>();

    private Generation newest = Generation.NONE;
    private long peaceStep = Long.MAX_VALUE;

    Invariants(boolean nothingIsLost) {
        this.nothingIsLost = nothingIsLost;
        samplesAfter.put(0L, 0L);
    }

    void afterDecision(ClusterState before, Coordinator.Outcome outcome) {
        assertThat(before.apply(outcome.decision())).isEqualTo(outcome.state());
        long committed = committed(before);
        for (Fact fact : outcome.decision().facts()) {
            if (fact instanceof Fact.PlanIssued issued) {
                planIssued(issued, before);
                committed = issued.plan().resumeStep().orElse(committed);
            } else if (fact instanceof Fact.ProgressRecorded progress) {
                // 4: never lost, never twice
                assertThat(progress.step()).isGreaterThan(committed);
                committed = progress.step();
            }
        }
        outcome.state().jobs().values().forEach(Invariants::assertConsistent);
    }

    private static void assertConsistent(JobState job) {
        assertThat(job.plans().attempts()).isLessThanOrEqualTo(8);
        job.active().ifPresent(active -> assertThat(job.plans().last().isAfter(active.generation())
                        || job.plans().last().equals(active.generation()))
                .isTrue());
    }

    private void planIssued(Fact.PlanIssued issued, ClusterState before) {
        Plan plan = issued.plan();
        // 1: generations only grow
        assertThat(plan.generation().isAfter(newest)).isTrue();
        newest = plan.generation();
        // 2, 3: each micro-batch has exactly one rank
        int next = 0;
        for (Plan.Member member : plan.members()) {
            MicroBatchRange block = member.microBatches();
            assertThat(block.first()).isEqualTo(next);
            next = block.end();
        }
        assertThat(next).isEqualTo(plan.microBatches());
        assertThat(issued.movedBytes()).isEqualTo(issued.lowerBoundBytes());
        if (plan.resumeStep().isPresent()) {
            long step = plan.resumeStep().get();
            boolean known = step == 0
                    || before.jobs().values().stream()
                            .flatMap(j -> j.checkpoints().stream())
                            .anyMatch(c -> c.step() == step);
            assertThat(known)
                    .as("resumes from a checkpoint that was recorded, or the seed")
                    .isTrue();
        }
    }

    private static long committed(ClusterState state) {
        return state.jobs().values().stream()
                .mapToLong(JobState::committedStep)
                .findFirst()
                .orElse(0);
    }

    /** The members run under the plan from now on. */
    void switched(Plan plan, long committed, @Nullable World source) {
        boolean resumes = plan.resumeStep().isPresent();
        if (!resumes && source != null) {
            // 4: no committed step is lost
            assertThat(committed)
                    .isGreaterThanOrEqualTo(source.plan.resumeStep().orElse(0L));
            if (nothingIsLost) {
                assertThat(committed).isEqualTo(source.committed);
            }
        }
    }

    void stateWasLost(Plan plan) {
        assertThat(nothingIsLost)
                .as("a plan is possible where one worker dies at a time: generation=%s", plan.generation())
                .isFalse();
    }

    /** 3: the step's samples follow those of the step before. */
    void committed(Plan plan, long step, long samplesBefore) {
        Long expected = samplesAfter.get(step - 1);
        assertThat(expected).as("step %s follows a committed step", step).isNotNull();
        assertThat(samplesBefore).isEqualTo(expected);
        samplesAfter.put(step, samplesBefore + plan.config().globalBatch());
    }

    long samplesAt(long step) {
        samplesAfter.tailMap(step, false).clear(); // a step that is run again replaces the one that was lost
        return samplesAfter.get(step);
    }

    void expectPeace(ClusterState state) {
        peaceStep = committed(state);
    }

    long peaceStep() {
        return peaceStep;
    }
}
