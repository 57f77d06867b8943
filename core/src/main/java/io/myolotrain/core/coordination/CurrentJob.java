package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.planning.Quote;
import java.util.Optional;

/** The fence at the door of every report about a job. */
final class CurrentJob {
    private CurrentJob() {}

    /** The job, when the report is about its present attempt and a generation that counts; else says that it is stale. */
    static Optional<JobState> of(Draft draft, JobId id, String attempt, Generation generation) {
        Optional<JobState> job = draft.state().job(id);
        if (job.isEmpty()) {
            draft.stale(id.value(), "no such job");
            return job;
        }
        if (!job.get().spec().attempt().equals(attempt)) {
            draft.stale(id.value(), "attempt " + Quote.of(attempt) + " is not the present one");
            return Optional.empty();
        }
        JobPlans plans = job.get().plans();
        if (plans.era().isAfter(generation) || generation.isAfter(plans.last())) {
            draft.stale(
                    id.value(),
                    "generation " + generation + " does not count: first=" + plans.era() + " last=" + plans.last());
            return Optional.empty();
        }
        return job;
    }
}
