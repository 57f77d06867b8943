package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.planning.PlanRequest;
import io.myolotrain.core.planning.PlanValidator;
import io.myolotrain.core.planning.Planner;
import io.myolotrain.core.planning.Planning;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Issues and withdraws plans. What a job's plan should be follows from the state; this compares it with what it is.
 *
 * <p>Bounds: one plan per job and entry; after {@link JobPlans#ATTEMPTS_MAX} plans without one that is applied, none until
 * the pool changes or a person does.
 */
final class Replanner {
    /** Patience with members that prepare while the old world trains on; doubles with each failed attempt. */
    static final long PLAN_DEADLINE_MS = 30_000;

    /** Patience with a start: data is opened and kernels are loaded, and nobody waits. */
    static final long START_DEADLINE_MS = 120_000;

    private static final int DOUBLINGS_MAX = 4;

    /** How long the report that a plan is in force may trail the news that the old members are gone. */
    static final long HAND_OVER_GRACE_MS = 2_000;

    private final Planner planner;

    Replanner(Planner planner) {
        this.planner = planner;
    }

    static String timer(JobId job, Generation generation) {
        return "plan:" + job + ":" + generation;
    }

    /** Every job gets the plan that it should have now, in the order in which they were accepted. */
    void settleAll(Draft draft) {
        draft.state().jobs().values().stream()
                .sorted(Comparator.comparingLong(JobState::ordinal))
                .map(JobState::id)
                .toList()
                .forEach(id -> settle(draft, id));
    }

    /** A new plan if the one in force is not what it should be. A pending plan is waited for. */
    void settle(Draft draft, JobId id) {
        JobState job = draft.job(id);
        if (job.pending().isPresent()) {
            return;
        }
        Optional<PlanRequest> request = request(draft, job);
        boolean asItShouldBe = job.active().isPresent()
                && request.isPresent()
                && !job.plans().activeIsBroken()
                && isInForce(job.active().get(), request.get());
        if (!asItShouldBe) {
            replan(draft, id);
        }
    }

    private boolean isInForce(Plan active, PlanRequest request) {
        List<WorkerRef> members =
                active.members().stream().map(m -> m.worker().ref()).toList();
        List<WorkerRef> wanted =
                planner.members(request).stream().map(WorkerInfo::ref).toList();
        return active.config().equals(request.config()) && members.equals(wanted);
    }

    /** A new plan with a new generation, if one is possible; the pending one is withdrawn. */
    void replan(Draft draft, JobId id) {
        if (awaitsVerdict(draft.state(), draft.job(id))) {
            return; // its timer ends in a plan
        }
        if (mayBeHandedOver(draft.state(), draft.job(id))) {
            Plan pending = draft.job(id).pending().orElseThrow();
            String timer = timer(id, pending.generation());
            long due = draft.atMs() + HAND_OVER_GRACE_MS;
            if (draft.state().timers().getOrDefault(timer, Long.MAX_VALUE) > due) {
                draft.add(new Fact.TimerSet(timer, due));
            }
        } else {
            replanAtOnce(draft, id);
        }
    }

    /** Some of the accused may still speak, see {@link Suspicions}. */
    private static boolean awaitsVerdict(ClusterState state, JobState job) {
        return job.accusation().stream()
                .flatMap(accusation -> accusation.suspects().stream())
                .anyMatch(state::isLive);
    }

    /**
     * The plan in force has lost state, but the pending plan's members would have all of it: perhaps they were handed the
     * state before the holders went, and their report is on its way. Resuming from a checkpoint at once would discard
     * steps that are committed.
     */
    private static boolean mayBeHandedOver(ClusterState state, JobState job) {
        if (job.active().isEmpty()
                || job.pending().filter(p -> p.resumeStep().isEmpty()).isEmpty()) {
            return false;
        }
        return stateIsLost(job.active().get(), holders(state, job.active()))
                && !stateIsLost(job.pending().get(), holders(state, job.pending()));
    }

    /** The plan in force still has all of the job's state. */
    static boolean oldWorldIsWhole(ClusterState state, JobState job) {
        return job.active().isPresent() && !stateIsLost(job.active().get(), holders(state, job.active()));
    }

    /** The same when the pending plan is known not to come into force. */
    void replanAtOnce(Draft draft, JobId id) {
        draft.job(id).pending().ifPresent(pending -> withdraw(draft, pending));
        JobState job = draft.job(id);
        if (job.active().isPresent() && holders(draft.state(), job.active()).isEmpty()) {
            draft.add(
                    new Fact.PlanWithdrawn(id, job.active().get().generation(), "no member is left: " + draft.cause()));
        }
        if (job.plans().exhausted()) {
            return;
        }
        Optional<PlanRequest> request = request(draft, draft.job(id));
        if (request.isEmpty()) {
            return;
        }
        Planning planning = planner.plan(request.get());
        if (planning instanceof Planning.Planned planned) {
            issue(draft, planned, job.plans().attempts());
        } else if (planning instanceof Planning.Refused refused) {
            draft.waits(id, refused.refusal());
        }
    }

    void withdraw(Draft draft, Plan pending) {
        draft.add(new Fact.PlanWithdrawn(pending.job(), pending.generation(), draft.cause()));
        clearTimer(draft, pending.job(), pending.generation());
    }

    void clearTimer(Draft draft, JobId job, Generation generation) {
        String timer = timer(job, generation);
        if (draft.state().timers().containsKey(timer)) {
            draft.add(new Fact.TimerCleared(timer));
        }
    }

    private void issue(Draft draft, Planning.Planned planned, int attempts) {
        Plan plan = planned.plan();
        List<String> violations = PlanValidator.violations(
                plan, planned.diff(), planner.shards(plan.spec().model()));
        if (!violations.isEmpty()) {
            throw new IllegalStateException("a plan keeps its rules: job=" + plan.job() + " generation="
                    + plan.generation() + " violations=" + violations);
        }
        draft.add(new Fact.PlanIssued(
                plan, planned.diff().movedBytes(), planned.diff().lowerBoundBytes()));
        boolean starts = draft.job(plan.job()).active().isEmpty();
        long patience = (starts ? START_DEADLINE_MS : PLAN_DEADLINE_MS) << Math.min(attempts, DOUBLINGS_MAX);
        draft.add(new Fact.TimerSet(timer(plan.job(), plan.generation()), draft.atMs() + patience));
    }

    /** Empty when the job has nothing to plan: it is stopped, paused or completed, and holds no workers. */
    private static Optional<PlanRequest> request(Draft draft, JobState job) {
        ClusterState state = draft.state();
        List<WorkerInfo> holders = holders(state, job.active());
        List<WorkerInfo> usable = usable(state, job, holders.isEmpty());
        Optional<Long> resumeStep = Optional.empty();
        String cause = draft.cause();
        if (job.active().isEmpty()) {
            resumeStep = Optional.of(resumeStep(job));
        } else {
            ShardSurvival survival = ShardSurvival.of(job.active().get(), holders);
            cause += survival.told();
            if (survival.stateIsLost()) {
                resumeStep = Optional.of(resumeStep(job));
            }
        }
        if (resumeStep.isPresent()) {
            cause += resumeStep.get() == 0 ? ": from the seed" : ": from the checkpoint of step " + resumeStep.get();
        }
        TrainingConfig config = job.desired();
        if (holders.isEmpty()) {
            if (job.completed() || config.runState() != RunState.RUNNING) {
                return Optional.empty();
            }
        } else if (job.completed() || usable.isEmpty()) {
            config = config.withRunState(RunState.STOPPED); // saves the state and frees the workers
        }
        if (config.runState() == RunState.STOPPED) {
            usable = holders; // nobody joins to stop
        }
        if (resumeStep.isEmpty() && lostMembers(job, holders)) {
            usable = survivorsFirst(usable, holders);
        }
        return Optional.of(new PlanRequest(
                job.spec(),
                config,
                job.plans().last().next(),
                holders.isEmpty() ? Optional.empty() : job.active(),
                holders,
                usable,
                !job.plans().activeIsBroken(),
                resumeStep,
                cause));
    }

    private static boolean lostMembers(JobState job, List<WorkerInfo> holders) {
        return job.plans().activeIsBroken()
                || job.active()
                        .filter(plan -> plan.members().size() > holders.size())
                        .isPresent();
    }

    /**
     * While the old world stands still, only its survivors: they have the state and warm code, a standby has neither. It
     * takes the lost one's place in the plan after that, which it prepares while the survivors train.
     */
    private static List<WorkerInfo> survivorsFirst(List<WorkerInfo> usable, List<WorkerInfo> holders) {
        Set<WorkerRef> survivors = new HashSet<>();
        holders.forEach(worker -> survivors.add(worker.ref()));
        List<WorkerInfo> alone = usable.stream()
                .filter(worker -> survivors.contains(worker.ref()))
                .toList();
        return alone.isEmpty() ? usable : alone;
    }

    private static long resumeStep(JobState job) {
        return job.lastCheckpoint().map(Checkpoint::step).orElse(0L);
    }

    /** Members of the plan that are still alive, in rank order: under a plan in force they have the job's state. */
    static List<WorkerInfo> holders(ClusterState state, Optional<Plan> plan) {
        return plan.stream()
                .flatMap(p -> p.members().stream())
                .map(Member::worker)
                .filter(worker -> state.isLive(worker.ref()))
                .toList();
    }

    /** @param starts nobody trains: then a worker that is held back is better than none */
    private static List<WorkerInfo> usable(ClusterState state, JobState job, boolean starts) {
        List<PoolWorker> free = state.workers().values().stream()
                .filter(worker -> !worker.draining())
                .filter(worker -> worker.job().map(job.id()::equals).orElse(true))
                .filter(worker -> !job.excluded().containsKey(worker.ref()))
                .toList();
        List<PoolWorker> trusted = free.stream()
                .filter(worker -> worker.job().isPresent()
                        || state.heldBackUntilMs(worker.ref()).isEmpty())
                .toList();
        boolean needsAll = starts && trusted.size() < job.desired().workers();
        return (needsAll ? free : trusted).stream().map(PoolWorker::info).toList();
    }

    private static boolean stateIsLost(Plan plan, List<WorkerInfo> alive) {
        return ShardSurvival.of(plan, alive).stateIsLost();
    }
}
