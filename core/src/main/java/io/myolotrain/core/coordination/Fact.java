package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.List;
import java.util.SortedMap;

/** What the coordinator decided. Facts are the only way to change {@link ClusterState}, live or replayed. */
public sealed interface Fact {

    /** Why a request cannot be: the rule that it breaks, the value that breaks it, and what to do instead. */
    record Refusal(String rule, String value, String nextStep) {}

    record Refused(String subject, List<Refusal> refusals) implements Fact {
        public Refused {
            refusals = List.copyOf(refusals);
        }
    }

    record JobAccepted(JobSpec spec) implements Fact {}

    /** @param changes the accepted changes as asked */
    record ConfigAccepted(JobId job, SortedMap<String, String> changes, TrainingConfig config) implements Fact {}

    record WorkerAdmitted(WorkerInfo worker) implements Fact {}

    record WorkerDrainStarted(WorkerRef worker, String reason) implements Fact {}

    record WorkerRemoved(WorkerRef worker, String reason) implements Fact {}

    /**
     * @param movedBytes optimizer bytes that change their owner against the plan in force
     * @param lowerBoundBytes the least that any placement could move for this change
     */
    record PlanIssued(Plan plan, long movedBytes, long lowerBoundBytes) implements Fact {}

    /** The plan cannot be reached any more (a member died or could not prepare); the one in force stays in force. */
    record PlanWithdrawn(JobId job, Generation generation, String reason) implements Fact {}

    record PlanActivated(JobId job, Generation generation, long firstStep, long stallMicros, long movedBytes)
            implements Fact {}

    record ProgressRecorded(JobId job, Generation generation, long step, long samples, double loss) implements Fact {}

    record CheckpointRecorded(JobId job, long step, String directory, long bytes) implements Fact {}

    record PhaseChanged(JobId job, JobPhase from, JobPhase to, String reason) implements Fact {}

    /** An event of a past that no longer counts: older generation, older incarnation, unknown worker. */
    record StaleIgnored(String subject, String reason) implements Fact {}

    /** The coordinator wants a {@link Event.TimerFired} with this name when the journal's clock passes {@code dueMs}. */
    record TimerSet(String timer, long dueMs) implements Fact {}

    record TimerCleared(String timer) implements Fact {}
}
