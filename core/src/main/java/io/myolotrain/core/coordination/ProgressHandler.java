package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.WorkerRef;
import java.util.Optional;

/** What workers report while all is well: steps, checkpoints, plans applied. */
final class ProgressHandler {
    private static final long STEPS_AHEAD_MAX = 100_000; // a report that skips more is no report
    private static final long SAMPLES_MAX = 1L << 60;
    private static final int DIRECTORY_MAX = 4_096; // characters

    private final Draft draft;
    private final Replanner replanner;

    ProgressHandler(Draft draft, Replanner replanner) {
        this.draft = draft;
        this.replanner = replanner;
    }

    /** The first rank to report a step moves the job on: the step is committed on all or on none. */
    void stepCompleted(Event.StepCompleted event) {
        JobState job = CurrentJob.of(draft, event.job(), event.attempt(), event.generation())
                .orElse(null);
        if (job == null) {
            return;
        }
        Integer globalBatch = job.plans().globalBatches().get(event.generation());
        if (globalBatch == null) {
            draft.stale(event.job().value(), "a step of the forgotten generation " + event.generation());
            return;
        }
        if (event.step() <= job.committedStep()) {
            return;
        }
        if (ofAnEarlierWorld(job, event.generation(), event.step())) {
            return;
        }
        long firstSample = event.samplePosition()
                - (long) event.microBatches().first() * job.spec().microBatch();
        boolean plausible = event.step() - job.committedStep() <= STEPS_AHEAD_MAX
                && firstSample >= 0
                && firstSample <= SAMPLES_MAX
                && reportedByItsRank(job, event);
        if (!plausible) {
            draft.stale(
                    event.job().value(),
                    "no step of this job: generation=" + event.generation() + " step=" + event.step() + " rank="
                            + event.rank() + " worker=" + event.worker() + " sample position="
                            + event.samplePosition());
            return;
        }
        draft.because("step " + event.step() + " committed");
        draft.add(new Fact.ProgressRecorded(
                event.job(), event.generation(), event.step(), firstSample + globalBatch, event.loss()));
        job.plans()
                .issuedButNotActive(event.generation())
                .filter(plan -> plan.config().runState() == RunState.RUNNING)
                .ifPresent(plan -> provenBy(event));
        if (draft.job(event.job()).completed()) {
            draft.because("all " + event.step() + " steps committed");
            replanner.settle(draft, event.job());
        }
    }

    /** A world ends where the next one begins: what an old one reports from there on is a zombie's. */
    private boolean ofAnEarlierWorld(JobState job, Generation generation, long step) {
        boolean over = job.plans().endedBefore(generation, step);
        if (over) {
            draft.stale(
                    job.id().value(),
                    "generation " + generation + " ended before step " + step + ": generation "
                            + job.active().orElseThrow().generation() + " began with step "
                            + job.plans().firstStep());
        }
        return over;
    }

    /** All members switched, as one of them made a step; their reports of it are late, or lost with their senders. */
    private void provenBy(Event.StepCompleted step) {
        activate(
                new Event.PlanApplied(step.job(), step.attempt(), step.generation(), step.worker(), step.step(), 0, 0),
                draft.job(step.job()));
    }

    /** Older plans are forgotten, so their reports are believed. */
    private static boolean reportedByItsRank(JobState job, Event.StepCompleted event) {
        Optional<Plan> plan = job.active()
                .filter(p -> p.generation().equals(event.generation()))
                .or(() -> job.plans().issuedButNotActive(event.generation()));
        if (plan.isEmpty()) {
            return true;
        }
        Optional<Member> member = plan.get().member(event.worker());
        return member.isPresent()
                && member.get().rank().equals(event.rank())
                && member.get().microBatches().equals(event.microBatches());
    }

    void checkpointWritten(Event.CheckpointWritten event) {
        JobState job = CurrentJob.ofCheckpoint(draft, event.job(), event.attempt(), event.generation())
                .orElse(null);
        if (job == null) {
            return;
        }
        boolean plausible = event.step() >= 0
                && event.step() - job.committedStep() <= STEPS_AHEAD_MAX
                && event.bytes() >= 0
                && event.directory().length() <= DIRECTORY_MAX;
        if (!plausible) {
            draft.stale(
                    event.job().value(),
                    "no checkpoint of this job: step=" + event.step() + " bytes=" + event.bytes() + " directory length="
                            + event.directory().length());
            return;
        }
        if (ofAnEarlierWorld(job, event.generation(), event.step())) {
            return;
        }
        draft.add(new Fact.CheckpointRecorded(event.job(), event.step(), event.directory(), event.bytes()));
    }

    /**
     * The first report activates the plan. A plan that stops the job is applied when rank 0 says so: it reports the last
     * checkpoint before, so that a job which starts again at once starts from there.
     */
    void planApplied(Event.PlanApplied event) {
        JobId id = event.job();
        Generation generation = event.generation();
        JobState job = CurrentJob.of(draft, id, event.attempt(), generation).orElse(null);
        if (job == null
                || job.active().filter(p -> p.generation().equals(generation)).isPresent()) {
            return;
        }
        Plan plan = job.plans().issuedButNotActive(generation).orElse(null);
        if (plan == null) {
            draft.stale(id.value(), "generation " + generation + " is in force no more");
            return;
        }
        if (!plan.involves(event.worker())) {
            draft.stale(id.value(), "generation " + generation + " does not involve " + event.worker());
            return;
        }
        boolean stops = plan.config().runState() == RunState.STOPPED;
        WorkerRef first = plan.members().get(0).worker().ref();
        if (!stops || event.worker().equals(first)) {
            activate(event, job);
        }
    }

    private void activate(Event.PlanApplied event, JobState job) {
        JobId id = event.job();
        boolean overtaken = job.pending()
                .filter(p -> p.generation().equals(event.generation()))
                .isEmpty();
        draft.because("generation " + event.generation() + " in force");
        draft.add(new Fact.PlanActivated(
                id,
                event.generation(),
                Math.max(0, event.firstStep()),
                Math.max(0, event.stallMicros()),
                Math.max(0, event.movedBytes())));
        replanner.clearTimer(draft, id, event.generation());
        if (overtaken && draft.job(id).pending().isPresent() && !pendingStillFits(draft.job(id))) {
            draft.because("generation " + event.generation() + " came into force after it was withdrawn");
            replanner.replan(draft, id);
        }
        replanner.settleAll(draft);
    }

    /** Everyone who holds the state now takes part in the pending plan. */
    private boolean pendingStillFits(JobState job) {
        Plan pending = job.pending().orElseThrow();
        return job.active().isPresent()
                && Replanner.holders(draft.state(), job.active()).size()
                        == job.active().get().members().size()
                && job.active().get().members().stream()
                        .allMatch(member -> pending.involves(member.worker().ref()));
    }
}
