package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Activity;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.sampling.Spans.Operation;
import io.myolotrain.core.sampling.Spans.Phase;
import io.myolotrain.worker.checkpoint.CheckpointException;
import io.myolotrain.worker.comm.CollectiveFailedException;
import io.myolotrain.worker.comm.Communicator;
import io.myolotrain.worker.readings.SpanRecorder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The training thread of a worker.
 *
 * <pre>
 *            plan prepared                 every rank prepared the same newer plan
 *  standby ────────────────> in a world ──────────────────────────────────────────> in the next world, or standby
 *     ^                          │
 *     └── a collective failed ───┘   (state is kept; the next plan decides)
 *
 *  in a world:   gradients → all-reduce → vote ── all computed ──> update → all-gather parameters → …
 * </pre>
 */
final class StepLoop implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(StepLoop.class);

    /** How long a rank without a step to compute (paused, finished) waits for news before it votes again. */
    private static final Duration IDLE_VOTE_INTERVAL = Duration.ofMillis(50);

    private static final Duration STANDBY_POLL = Duration.ofMillis(200);

    private static final long TRIVIAL_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final WorkerIdentity identity;
    private final PlanMailbox mailbox;
    private final PlanPreparer preparer;
    private final StateRestore restore;
    private final Checkpoints checkpoints;
    private final StepReports reports;
    private final WorkerEvents events;
    private final StepClock clock;
    private final Validation validation;

    private @Nullable JobSession session;
    private volatile WorkerStatus status = WorkerStatus.STANDBY;
    private volatile @Nullable Scene scene;
    private volatile boolean stopping;
    private volatile boolean removed;

    StepLoop(
            WorkerIdentity identity,
            PlanMailbox mailbox,
            PlanPreparer preparer,
            StateRestore restore,
            Checkpoints checkpoints,
            StepReports reports,
            WorkerEvents events,
            StepClock clock,
            Validation validation) {
        this.identity = identity;
        this.mailbox = mailbox;
        this.preparer = preparer;
        this.restore = restore;
        this.checkpoints = checkpoints;
        this.reports = reports;
        this.events = events;
        this.clock = clock;
        this.validation = validation;
    }

    WorkerStatus status() {
        return status;
    }

    /** From any thread. */
    Optional<Activity> activity() {
        return Optional.ofNullable(scene).map(Scene::activity);
    }

    /** Asks all ranks for a checkpoint at the next boundary, then leaves; from any thread. */
    void stop() {
        stopping = true;
        mailbox.wake();
    }

    /** The pool has given up this incarnation; from any thread. */
    void removed() {
        removed = true;
        mailbox.wake();
    }

    @Override
    public void run() {
        World world = null;
        try {
            while (world != null || !stopping) {
                world = world == null ? standBy() : train(world);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            preparer.close();
            if (world != null) {
                world.transition().close();
            }
            leaveJob();
        }
    }

    /** Waits for a plan to be ready and enters its world. */
    private @Nullable World standBy() throws InterruptedException {
        status = session == null ? WorkerStatus.STANDBY : WorkerStatus.WAITING_FOR_PLAN;
        if (scene != null) {
            scene = scene.waitingForPlan();
        }
        steer();
        Optional<Prepared> ready = preparer.ready();
        if (ready.isPresent()) {
            return enter(preparer.take(), null);
        }
        mailbox.await(STANDBY_POLL);
        return null;
    }

    /** Steps in one world until it ends: by a switch, by a failure, or because the process stops. */
    private @Nullable World train(World world) throws InterruptedException {
        JobSession job = current();
        status = WorkerStatus.in(world, job);
        show(world.plan(), world.members());
        try {
            while (steer()) {
                if (stopping && !checkpoints.requested()) {
                    checkpoints.request();
                }
                ReducedStep step = wantsStep(world, job) ? GradientPhase.run(world, job, spans()) : pause();
                Vote.Verdict verdict = vote(world, step != null);
                if (verdict.commit() && step != null) {
                    commit(world, job, step);
                }
                status = WorkerStatus.in(world, job);
                show(world.plan(), world.members());
                long checkpointing = System.nanoTime();
                checkpoints.atBoundary(world, job, verdict, step != null);
                unlessTrivial(Phase.CHECKPOINT, checkpointing);
                if (stopping && checkpoints.settled()) {
                    return leave(world);
                }
                if (isStopped(world) && checkpoints.settled()) {
                    return finish(world);
                }
                // A checkpoint that began at this very boundary would be lost with its world.
                if (verdict.preparedByAll().isAfter(world.generation()) && !checkpoints.writing()) {
                    return enter(preparer.take(), world);
                }
            }
            return leave(world);
        } catch (CollectiveFailedException failure) {
            collectiveFailed(world.plan(), failure);
            world.transition().close();
            return null;
        }
    }

    /** The job has stopped: only when its last checkpoint is reported is the stopping plan reported as applied. */
    private @Nullable World finish(World world) {
        checkpoints.awaitPublished();
        applied(world.plan(), 0, 0);
        return leave(world);
    }

    private @Nullable World leave(World world) {
        world.transition().close();
        leaveJob();
        return null;
    }

    private static boolean isStopped(World world) {
        return world.plan().config().runState() == RunState.STOPPED;
    }

    private static boolean wantsStep(World world, JobSession job) {
        TrainingConfig config = world.plan().config();
        return config.runState() == RunState.RUNNING && job.committedStep() < config.maxSteps();
    }

    private @Nullable ReducedStep pause() throws InterruptedException {
        long began = System.nanoTime();
        mailbox.await(IDLE_VOTE_INTERVAL);
        spans().computed(Phase.WAIT, began, System.nanoTime());
        return null;
    }

    private SpanRecorder spans() {
        return reports.readings().spans();
    }

    /** What is mostly a look at a flag: only when something was done. */
    private void unlessTrivial(Phase phase, long began) {
        long ended = System.nanoTime();
        if (ended - began >= TRIVIAL_NANOS) {
            spans().computed(phase, began, ended);
        }
    }

    private Vote.Verdict vote(World world, boolean computed) {
        boolean canSwitch = preparer.ready().isPresent() && !checkpoints.writing();
        Generation prepared = canSwitch ? preparer.ready().orElseThrow().generation() : world.generation();
        var vote = new Vote(computed, prepared, checkpoints.written(), checkpoints.requested());
        long began = System.nanoTime();
        long[] votes = world.members().allGather(vote.words());
        spans().communicated(
                        Phase.COMMIT, Operation.ALL_GATHER, (long) Long.BYTES * votes.length, began, System.nanoTime());
        return Vote.count(votes);
    }

    private void commit(World world, JobSession job, ReducedStep step) {
        long updating = System.nanoTime();
        UpdatePhase.Applied applied = UpdatePhase.apply(job, step);
        long gathering = System.nanoTime();
        world.members().allGather(job.trainer().parameters(), world.primaryRanges());
        spans().computed(Phase.OPTIMIZER, updating, gathering);
        spans().communicated(
                        Phase.ALL_GATHER,
                        Operation.ALL_GATHER,
                        (long) Float.BYTES * job.trainer().layout().size(),
                        gathering,
                        System.nanoTime());
        long stepMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - step.startedNanos());
        clock.record(stepMicros);
        reports.committed(job, identity.ref(), step, applied, stepMicros);
        long validating = System.nanoTime();
        validation.afterStep(world, job, identity.ref());
        unlessTrivial(Phase.VALIDATION, validating);
    }

    /**
     * Looks at the mailbox: prepares a plan that involves this worker, and on standby what one of its next may need.
     *
     * @return false when a plan has dropped this worker: it is fenced, and has joined anew
     */
    private boolean steer() {
        if (removed) {
            fence();
            return false;
        }
        Optional<Plan> arrived = mailbox.poll();
        if (arrived.isEmpty()) {
            return true;
        }
        Plan plan = arrived.get();
        if (plan.involves(identity.ref())) {
            preparer.prepare(plan, identity.ref(), session);
            return true;
        }
        if (session == null) {
            preparer.warm(plan);
            return true;
        }
        if (!session.serves(plan)) {
            return true;
        }
        fence();
        return false;
    }

    /** What this incarnation held and prepared counts no more; the process joins anew, as one that has nothing. */
    private void fence() {
        log.atWarn().addKeyValue("worker", identity.ref()).log("left out by the coordinator: fenced, joining anew");
        removed = false;
        preparer.forget();
        leaveJob();
        identity.rejoin();
    }

    private @Nullable World enter(Prepared prepared, @Nullable World before) {
        long started = System.nanoTime();
        Plan plan = prepared.plan();
        session = prepared.session();
        Communicator group = prepared.group();
        if (group == null) {
            return before == null ? missedGroup(plan) : goOn(plan, before, started);
        }
        try {
            show(plan, group);
            long moved = new Handover(group, plan, current(), restore, this::rollForward).run();
            if (before != null) {
                before.transition().close();
            }
            return settle(plan, group, started, moved);
        } catch (CollectiveFailedException failure) {
            collectiveFailed(plan, failure);
        } catch (HandoverRefused | CheckpointException refused) {
            log.atError()
                    .addKeyValue("job", plan.job())
                    .addKeyValue("generation", plan.generation())
                    .setCause(refused)
                    .log("the plan cannot be entered");
            events.report(new Event.PlanFailed(
                    plan.job(),
                    plan.attempt(),
                    plan.generation(),
                    identity.ref(),
                    String.valueOf(refused.getMessage())));
        }
        group.close();
        if (before != null) {
            before.transition().close();
        }
        return null;
    }

    /** A plan over the group of a world that this worker is not in any more: only a new group helps. */
    private @Nullable World missedGroup(Plan plan) {
        collectiveFailed(
                plan,
                new CollectiveFailedException(
                        "group", plan.group().value(), List.of(), "this rank has left the group"));
        return null;
    }

    private World goOn(Plan plan, World before, long started) {
        Plan.Member me = plan.member(identity.ref()).orElseThrow();
        entered(plan, started, 0);
        return World.of(plan, me, current(), before.transition(), before.members());
    }

    private @Nullable World settle(Plan plan, Communicator group, long started, long moved) {
        Optional<Plan.Member> me = plan.member(identity.ref());
        if (me.isEmpty()) {
            group.close();
            leaveJob();
            log.atInfo()
                    .addKeyValue("job", plan.job())
                    .addKeyValue("generation", plan.generation())
                    .log("state handed over, standing by");
            return null;
        }
        clock.forget();
        entered(plan, started, moved);
        return World.of(plan, me.get(), current(), group, group.prefix(plan.worldSize()));
    }

    private void entered(Plan plan, long started, long moved) {
        reports.readings().entered(plan.generation());
        unlessTrivial(Phase.STATE_MOVE, started);
        current().trainer().precision(plan.config().precision());
        checkpoints.entered(plan);
        if (plan.config().runState() != RunState.STOPPED) {
            applied(plan, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - started), moved);
        }
    }

    private void applied(Plan plan, long stallMicros, long moved) {
        events.report(new Event.PlanApplied(
                plan.job(),
                plan.attempt(),
                plan.generation(),
                identity.ref(),
                current().committedStep() + 1,
                stallMicros,
                moved));
    }

    private void rollForward() {
        JobSession job = current();
        ReducedStep step = job.reducedStep();
        if (step == null) {
            throw new IllegalStateException(
                    "only a reduced step can be rolled forward: committed=" + job.committedStep());
        }
        UpdatePhase.Applied applied = UpdatePhase.apply(job, step);
        long stepMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - step.startedNanos());
        reports.rolledForward(job, identity.ref(), step, applied, stepMicros);
    }

    private void collectiveFailed(Plan plan, CollectiveFailedException failure) {
        log.atWarn()
                .addKeyValue("job", plan.job())
                .addKeyValue("generation", plan.generation())
                .addKeyValue("reason", failure.getMessage())
                .log("collective failed, waiting for a plan");
        List<WorkerRef> suspects = failure.missingRanks().stream()
                .map(rank -> plan.participants().get(rank).ref())
                .toList();
        events.report(new Event.CollectiveFailed(
                plan.job(),
                plan.attempt(),
                plan.generation(),
                identity.ref(),
                current().committedStep(),
                suspects,
                String.valueOf(failure.getMessage())));
    }

    private void show(Plan plan, Communicator group) {
        scene = Scene.of(plan, identity.ref(), group, current().committedStep(), clock.medianMicros());
    }

    private JobSession current() {
        if (session == null) {
            throw new IllegalStateException("a world needs a session");
        }
        return session;
    }

    private void leaveJob() {
        if (session != null) {
            session.close();
            session = null;
        }
        scene = null;
        status = WorkerStatus.STANDBY;
    }
}
