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
        Optional<JobState> job = ofAttempt(draft, id, attempt);
        return job.isEmpty() || isOfEra(draft, job.get(), generation) ? job : Optional.empty();
    }

    /**
     * The same for a report of what was saved. Workers that all stop are gone before their last checkpoint is heard of, and
     * those that come may have been told to resume from an older one; until they have, the newer one counts.
     */
    static Optional<JobState> ofCheckpoint(Draft draft, JobId id, String attempt, Generation generation) {
        Optional<JobState> job = ofAttempt(draft, id, attempt);
        boolean resumed = job.flatMap(JobState::active).isPresent();
        boolean issued = job.filter(j -> generation.isAfter(j.plans().last())).isEmpty();
        return job.isEmpty() || (!resumed && issued) || isOfEra(draft, job.get(), generation) ? job : Optional.empty();
    }

    private static Optional<JobState> ofAttempt(Draft draft, JobId id, String attempt) {
        Optional<JobState> job = draft.state().job(id);
        if (job.isEmpty()) {
            draft.stale(id.value(), "no such job");
            return job;
        }
        if (!job.get().spec().attempt().equals(attempt)) {
            draft.stale(id.value(), "attempt " + Quote.of(attempt) + " is not the present one");
            return Optional.empty();
        }
        return job;
    }

    private static boolean isOfEra(Draft draft, JobState job, Generation generation) {
        JobPlans plans = job.plans();
        boolean counts = !plans.era().isAfter(generation) && !generation.isAfter(plans.last());
        if (!counts) {
            draft.stale(
                    job.id().value(),
                    "generation " + generation + " does not count: first=" + plans.era() + " last=" + plans.last());
        }
        return counts;
    }
}
