package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** What each fact does to the state. No judgement here: a fact is true because it was decided. */
final class FactApplier implements Fact.Cases<ClusterState> {
    private final ClusterState state;

    FactApplier(ClusterState state) {
        this.state = state;
    }

    @Override
    public ClusterState refused(Fact.Refused fact) {
        return state;
    }

    @Override
    public ClusterState staleIgnored(Fact.StaleIgnored fact) {
        return state;
    }

    @Override
    public ClusterState workerHeldBack(Fact.WorkerHeldBack fact) {
        return state; // the timer that comes with it holds the worker back
    }

    @Override
    public ClusterState workersSuspected(Fact.WorkersSuspected fact) {
        var accusation = new Accusation(fact.generation(), fact.heard(), fact.suspects());
        return withJob(
                fact.job(),
                job -> job.accusation(fact.suspects().isEmpty() ? Optional.empty() : Optional.of(accusation)));
    }

    @Override
    public ClusterState jobAccepted(Fact.JobAccepted fact) {
        JobId id = fact.spec().job();
        var jobs = new TreeMap<>(state.jobs());
        long ordinal = jobs.values().stream().mapToLong(JobState::ordinal).max().orElse(0) + 1;
        Generation last = state.job(id).map(job -> job.plans().last()).orElse(Generation.NONE);
        jobs.put(id, JobState.accepted(fact.spec(), ordinal, last));
        if (jobs.size() > ClusterState.JOBS_MAX) {
            jobs.values().stream()
                    .filter(job -> !job.live())
                    .min(Comparator.comparingLong(JobState::ordinal))
                    .ifPresent(oldest -> jobs.remove(oldest.id()));
        }
        return state.withJobs(jobs);
    }

    @Override
    public ClusterState configAccepted(Fact.ConfigAccepted fact) {
        return withJob(fact.job(), job -> job.desired(fact.config())
                .excluded(Collections.emptySortedMap())
                .plans(job.plans().fresh()));
    }

    @Override
    public ClusterState workerAdmitted(Fact.WorkerAdmitted fact) {
        var workers = new TreeMap<>(state.workers());
        workers.put(fact.worker().ref().id(), new PoolWorker(fact.worker(), false, Optional.empty()));
        return withNewHope(workers);
    }

    @Override
    public ClusterState workerDrainStarted(Fact.WorkerDrainStarted fact) {
        var workers = new TreeMap<>(state.workers());
        workers.computeIfPresent(fact.worker().id(), (id, worker) -> worker.drain());
        return withNewHope(workers);
    }

    @Override
    public ClusterState workerRemoved(Fact.WorkerRemoved fact) {
        var workers = new TreeMap<>(state.workers());
        workers.remove(fact.worker().id());
        var past = new WorkerPast(fact.worker().incarnation(), fact.deaths(), fact.atMs());
        return withNewHope(workers).withPasts(pastsWith(fact.worker().id(), past));
    }

    /** What is too old to count is forgotten here, and what has no room, so that the memory is bounded. */
    private SortedMap<WorkerId, WorkerPast> pastsWith(WorkerId id, WorkerPast past) {
        var pasts = new TreeMap<>(state.pasts());
        pasts.values().removeIf(older -> !Trust.isRecent(older, past.endedAtMs()));
        if (pasts.size() >= ClusterState.PASTS_MAX) {
            pasts.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().endedAtMs()))
                    .map(Map.Entry::getKey)
                    .ifPresent(pasts::remove);
        }
        pasts.put(id, past);
        return pasts;
    }

    @Override
    public ClusterState planIssued(Fact.PlanIssued fact) {
        Plan plan = fact.plan();
        ClusterState next = withJob(plan.job(), job -> {
            Progress progress =
                    plan.resumeStep().map(step -> rolledBack(job, step)).orElse(job.progress());
            var counts = job.counts();
            return job.plans(job.plans().issued(plan))
                    .accusation(Optional.empty())
                    .progress(progress)
                    .counts(new JobState.Counts(counts.plansIssued() + 1, counts.plansWithdrawn(), counts.failures()));
        });
        return new FactApplier(next).withAssignments(plan.job());
    }

    @Override
    public ClusterState planWithdrawn(Fact.PlanWithdrawn fact) {
        ClusterState next = withJob(fact.job(), job -> {
            var counts = job.counts();
            return job.plans(job.plans().withdrawn(fact.generation()))
                    .counts(new JobState.Counts(counts.plansIssued(), counts.plansWithdrawn() + 1, counts.failures()));
        });
        return new FactApplier(next).withAssignments(fact.job());
    }

    @Override
    public ClusterState planActivated(Fact.PlanActivated fact) {
        ClusterState next = withJob(fact.job(), job -> {
            JobState after = job.plans(job.plans().activated(fact.generation(), fact.firstStep()));
            // The members resumed where they could: a shard that died with its owners, or a damaged checkpoint, made
            // them
            // start earlier than the log had seen them.
            // One step less than a dead member had reported is no such case: that step is run again, with the same
            // result.
            boolean resumes = job.progress().generation().equals(Generation.NONE);
            long earliest = resumes ? job.committedStep() + 1 : job.committedStep();
            boolean startedEarlier = fact.firstStep() >= 1
                    && fact.firstStep() < earliest
                    && !job.progress().generation().equals(fact.generation());
            if (!startedEarlier) {
                return after;
            }
            long step = fact.firstStep() - 1;
            return after.progress(rolledBack(job, step))
                    .checkpoints(job.checkpoints().stream()
                            .filter(c -> c.step() <= step)
                            .toList());
        });
        return new FactApplier(next).withAssignments(fact.job());
    }

    @Override
    public ClusterState faultNoted(Fact.FaultNoted fact) {
        return state;
    }

    @Override
    public ClusterState workerExcluded(Fact.WorkerExcluded fact) {
        return withJob(fact.job(), job -> {
            var excluded = new TreeMap<>(job.excluded());
            excluded.put(fact.worker(), fact.reason());
            return job.excluded(excluded);
        });
    }

    @Override
    public ClusterState generationBroken(Fact.GenerationBroken fact) {
        return withJob(fact.job(), job -> {
            var counts = job.counts();
            return job.plans(job.plans().broken(fact.generation()))
                    .counts(new JobState.Counts(counts.plansIssued(), counts.plansWithdrawn(), counts.failures() + 1));
        });
    }

    @Override
    public ClusterState progressRecorded(Fact.ProgressRecorded fact) {
        return withJob(
                fact.job(),
                job -> job.progress(new Progress(fact.generation(), fact.step(), fact.samples(), fact.loss())));
    }

    @Override
    public ClusterState checkpointRecorded(Fact.CheckpointRecorded fact) {
        return withJob(fact.job(), job -> {
            var bySteps = new TreeMap<Long, Checkpoint>();
            job.checkpoints().forEach(c -> bySteps.put(c.step(), c));
            long samples = samplesAt(job, fact.step());
            bySteps.put(fact.step(), new Checkpoint(fact.step(), fact.directory(), fact.bytes(), samples));
            List<Checkpoint> all = new ArrayList<>(bySteps.values());
            return job.checkpoints(all.subList(Math.max(0, all.size() - JobState.CHECKPOINTS_MAX), all.size()));
        });
    }

    @Override
    public ClusterState phaseChanged(Fact.PhaseChanged fact) {
        return withJob(fact.job(), job -> job.phase(fact.to()));
    }

    @Override
    public ClusterState timerSet(Fact.TimerSet fact) {
        var timers = new TreeMap<>(state.timers());
        timers.put(fact.timer(), fact.dueMs());
        return state.withTimers(timers);
    }

    @Override
    public ClusterState timerCleared(Fact.TimerCleared fact) {
        var timers = new TreeMap<>(state.timers());
        timers.remove(fact.timer());
        return state.withTimers(timers);
    }

    private static Progress rolledBack(JobState job, long step) {
        double loss = step == job.committedStep() ? job.lastLoss() : Double.NaN;
        return new Progress(Generation.NONE, step, samplesAt(job, step), loss);
    }

    /** Known exactly for the committed step and for checkpoints; between them at the batch in force. */
    private static long samplesAt(JobState job, long step) {
        for (Checkpoint checkpoint : job.checkpoints()) {
            if (checkpoint.step() == step) {
                return checkpoint.samples();
            }
        }
        long missing = step - job.committedStep();
        long batch = job.active()
                .map(p -> p.config().globalBatch())
                .orElse(job.desired().globalBatch());
        return step == 0 ? 0 : Math.max(0, job.samples() + missing * batch);
    }

    /** A worker belongs to the job whose plan in force or pending plan involves it. */
    private ClusterState withAssignments(JobId id) {
        JobState job = state.job(id).orElseThrow();
        var involved = new TreeSet<WorkerRef>();
        job.active().ifPresent(plan -> plan.members()
                .forEach(m -> involved.add(m.worker().ref())));
        job.pending().ifPresent(plan -> {
            for (Member member : plan.members()) {
                involved.add(member.worker().ref());
            }
            for (WorkerInfo departing : plan.departing()) {
                involved.add(departing.ref());
            }
        });
        var changed = new TreeMap<WorkerId, PoolWorker>();
        state.workers().forEach((worker, w) -> {
            boolean is = involved.contains(w.ref());
            boolean was = w.job().isPresent() && w.job().get().equals(id);
            if (is != was) {
                changed.put(worker, w.assigned(is ? Optional.of(id) : Optional.empty()));
            }
        });
        if (changed.isEmpty()) {
            return state;
        }
        var workers = new TreeMap<>(state.workers());
        workers.putAll(changed);
        return state.withWorkers(workers);
    }

    /** The pool has changed: jobs that had given up may try again. */
    private ClusterState withNewHope(SortedMap<WorkerId, PoolWorker> workers) {
        var jobs = new TreeMap<>(state.jobs());
        jobs.replaceAll((id, job) ->
                job.plans().attempts() == 0 ? job : job.plans(job.plans().fresh()));
        return state.withWorkers(workers).withJobs(jobs);
    }

    private ClusterState withJob(JobId id, UnaryOperator<JobState> change) {
        JobState job = state.job(id).orElseThrow(() -> new IllegalStateException("no such job: job=" + id));
        var jobs = new TreeMap<>(state.jobs());
        jobs.put(id, change.apply(job));
        return state.withJobs(jobs);
    }
}
