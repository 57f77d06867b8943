package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Activity;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.sampling.Spans.Operation;
import io.myolotrain.core.sampling.Spans.Phase;
import io.myolotrain.worker.comm.CollectiveFailedException;
import io.myolotrain.worker.comm.Communicator;
import io.myolotrain.worker.readings.SpanRecorder;
import java.time.Duration;
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

    private final WorkerIdentity identity;
    private final PlanMailbox mailbox;
    private final PlanPreparer preparer;
    private final Checkpoints checkpoints;
    private final StepReports reports;
    private final PlanReports plans;
    private final StepClock clock;
    private final Validation validation;
    private final Entrance entrance;

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
        this.checkpoints = checkpoints;
        this.reports = reports;
        this.plans = new PlanReports(identity, events);
        this.clock = clock;
        this.validation = validation;
        this.entrance = new Entrance(identity, restore, checkpoints, reports, plans, clock);
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
                spans().unlessTrivial(Phase.CHECKPOINT, checkpointing);
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
            plans.collectiveFailed(world.plan(), job, failure);
            world.transition().close();
            return null;
        }
    }

    /** The job has stopped: only when its last checkpoint is reported is the stopping plan reported as applied. */
    private @Nullable World finish(World world) {
        checkpoints.awaitPublished();
        plans.applied(world.plan(), current(), 0, 0);
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
        try {
            world.members().allGather(job.trainer().parameters(), world.primaryRanges());
        } catch (CollectiveFailedException peerLost) {
            // It is committed here all the same, and nobody else may be left who says so.
            reports.rolledForward(job, identity.ref(), step, applied, microsSince(step.startedNanos()));
            throw peerLost;
        }
        spans().computed(Phase.OPTIMIZER, updating, gathering);
        spans().communicated(
                        Phase.ALL_GATHER,
                        Operation.ALL_GATHER,
                        (long) Float.BYTES * job.trainer().layout().size(),
                        gathering,
                        System.nanoTime());
        long stepMicros = microsSince(step.startedNanos());
        clock.record(stepMicros);
        reports.committed(job, identity.ref(), step, applied, stepMicros);
        long validating = System.nanoTime();
        validation.afterStep(world, job, identity.ref());
        spans().unlessTrivial(Phase.VALIDATION, validating);
    }

    private static long microsSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - nanos);
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
        session = prepared.session();
        if (prepared.group() != null) {
            show(prepared.plan(), prepared.group());
        }
        Entrance.Outcome outcome = entrance.enter(prepared, before);
        if (outcome instanceof Entrance.Inside inside) {
            return inside.world();
        }
        if (outcome instanceof Entrance.HandedOver) {
            leaveJob();
        }
        return null;
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
