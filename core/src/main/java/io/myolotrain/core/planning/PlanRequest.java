package io.myolotrain.core.planning;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerInfo;
import java.util.List;
import java.util.Optional;

/**
 * Everything that a plan follows from.
 *
 * @param config for the new plan; its workers are what is wanted, fewer are planned when a running job has fewer
 * @param generation of the new plan
 * @param inForce plan that the holders run, empty when there are none
 * @param holders live workers that hold the job's state, in rank order
 * @param usable workers that may be members: not leaving, and free or of this job; any order
 * @param groupIntact the ranks of the plan in force still have their communicator
 * @param resumeStep committed step to start from when the holders' state is incomplete or there is none
 */
public record PlanRequest(
        JobSpec spec,
        TrainingConfig config,
        Generation generation,
        Optional<Plan> inForce,
        List<WorkerInfo> holders,
        List<WorkerInfo> usable,
        boolean groupIntact,
        Optional<Long> resumeStep,
        String reason) {

    public PlanRequest {
        holders = List.copyOf(holders);
        usable = List.copyOf(usable);
        if (holders.isEmpty() && resumeStep.isEmpty()) {
            throw new IllegalArgumentException(
                    "a plan without holders of state needs a step to resume from: job=" + spec.job());
        }
    }

    /** Nobody holds the job's state: it starts with as many workers as wanted, or waits. */
    boolean startsFresh() {
        return holders.isEmpty();
    }
}
