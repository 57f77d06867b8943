package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.WorkerRef;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One job of the pool.
 *
 * @param ordinal order of acceptance within the pool
 * @param desired what was asked for last; the plan in force may still carry an older configuration
 * @param excluded workers that could not prepare a plan of this job, with their reasons
 * @param accusation of members by a minority that is waited out
 * @param checkpoints the latest ones, oldest first
 * @param counts plans issued, plans withdrawn, broken collectives
 */
public record JobState(
        JobSpec spec,
        long ordinal,
        TrainingConfig desired,
        JobPhase phase,
        JobPlans plans,
        Progress progress,
        SortedMap<WorkerRef, String> excluded,
        Optional<Accusation> accusation,
        List<Checkpoint> checkpoints,
        Counts counts) {

    static final int CHECKPOINTS_MAX = 4; // oldest forgotten; the files' fate is the worker's keep-N

    /** How eventful the job's life has been. */
    public record Counts(long plansIssued, long plansWithdrawn, long failures) {
        static final Counts ZERO = new Counts(0, 0, 0);
    }

    public JobState {
        excluded = Collections.unmodifiableSortedMap(new TreeMap<>(excluded));
        checkpoints = List.copyOf(checkpoints);
    }

    static JobState accepted(JobSpec spec, long ordinal, Generation lastOfId) {
        return new JobState(
                spec,
                ordinal,
                spec.initialConfig(),
                JobPhase.WAITING,
                JobPlans.startingAfter(lastOfId),
                Progress.NONE,
                Collections.emptySortedMap(),
                Optional.empty(),
                List.of(),
                Counts.ZERO);
    }

    public JobId id() {
        return spec.job();
    }

    /** The plan in force. */
    public Optional<Plan> active() {
        return plans.active();
    }

    /** The plan that the workers prepare. */
    public Optional<Plan> pending() {
        return plans.pending();
    }

    public long committedStep() {
        return progress.step();
    }

    public long samples() {
        return progress.samples();
    }

    public double lastLoss() {
        return progress.loss();
    }

    public Optional<Checkpoint> lastCheckpoint() {
        return checkpoints.isEmpty() ? Optional.empty() : Optional.of(checkpoints.get(checkpoints.size() - 1));
    }

    /** All steps asked for are committed. */
    public boolean completed() {
        return progress.step() >= desired.maxSteps();
    }

    /** The job holds workers or will want some again without a new request. */
    public boolean live() {
        return active().isPresent()
                || pending().isPresent()
                || (phase != JobPhase.STOPPED && phase != JobPhase.COMPLETED);
    }

    /** The phase that follows from everything else; {@link JobPhase} has the picture. */
    JobPhase derivedPhase() {
        if (completed()) {
            return JobPhase.COMPLETED;
        }
        if (active().isEmpty()) {
            return pending().isPresent() ? JobPhase.STARTING : idlePhase();
        }
        if (plans.activeIsBroken() && pending().isEmpty()) {
            return JobPhase.WAITING;
        }
        return active().get().config().runState() == RunState.PAUSED ? JobPhase.PAUSED : JobPhase.RUNNING;
    }

    private JobPhase idlePhase() {
        return switch (desired.runState()) {
            case RUNNING -> JobPhase.WAITING;
            case PAUSED -> JobPhase.PAUSED;
            case STOPPED -> JobPhase.STOPPED;
        };
    }

    JobState desired(TrainingConfig config) {
        return new JobState(spec, ordinal, config, phase, plans, progress, excluded, accusation, checkpoints, counts);
    }

    JobState phase(JobPhase to) {
        return new JobState(spec, ordinal, desired, to, plans, progress, excluded, accusation, checkpoints, counts);
    }

    JobState plans(JobPlans to) {
        return new JobState(spec, ordinal, desired, phase, to, progress, excluded, accusation, checkpoints, counts);
    }

    JobState progress(Progress to) {
        return new JobState(spec, ordinal, desired, phase, plans, to, excluded, accusation, checkpoints, counts);
    }

    JobState excluded(SortedMap<WorkerRef, String> to) {
        return new JobState(spec, ordinal, desired, phase, plans, progress, to, accusation, checkpoints, counts);
    }

    JobState checkpoints(List<Checkpoint> to) {
        return new JobState(spec, ordinal, desired, phase, plans, progress, excluded, accusation, to, counts);
    }

    JobState counts(Counts to) {
        return new JobState(spec, ordinal, desired, phase, plans, progress, excluded, accusation, checkpoints, to);
    }

    JobState accusation(Optional<Accusation> to) {
        return new JobState(spec, ordinal, desired, phase, plans, progress, excluded, to, checkpoints, counts);
    }
}
