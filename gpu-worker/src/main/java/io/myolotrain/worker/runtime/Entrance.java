package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.sampling.Spans.Phase;
import io.myolotrain.worker.checkpoint.CheckpointException;
import io.myolotrain.worker.comm.CollectiveFailedException;
import io.myolotrain.worker.comm.Communicator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way from one plan's world into the next: state moves, the group changes hands, and what came of it is reported. Used by
 * the training thread.
 */
final class Entrance {
    private static final Logger log = LoggerFactory.getLogger(Entrance.class);

    private final WorkerIdentity identity;
    private final StateRestore restore;
    private final Checkpoints checkpoints;
    private final StepReports steps;
    private final PlanReports plans;
    private final StepClock clock;

    /** Where a worker is after it went to enter a plan. */
    sealed interface Outcome {}

    record Inside(World world) implements Outcome {}

    /** The worker was wanted only for the state that it held: others have it now. */
    record HandedOver() implements Outcome {}

    /** The next plan decides; the state is kept. */
    record Outside() implements Outcome {}

    Entrance(
            WorkerIdentity identity,
            StateRestore restore,
            Checkpoints checkpoints,
            StepReports steps,
            PlanReports plans,
            StepClock clock) {
        this.identity = identity;
        this.restore = restore;
        this.checkpoints = checkpoints;
        this.steps = steps;
        this.plans = plans;
        this.clock = clock;
    }

    /** @param before the world that is left, closed unless the new one goes on over its group; null for one that had none */
    Outcome enter(Prepared prepared, @Nullable World before) {
        long started = System.nanoTime();
        Plan plan = prepared.plan();
        JobSession session = prepared.session();
        Communicator group = prepared.group();
        if (group == null) {
            return before == null ? missedGroup(plan, session) : goOn(plan, session, before, started);
        }
        try {
            long moved = new Handover(group, plan, session, restore, () -> rollForward(session)).run();
            if (before != null) {
                before.transition().close();
            }
            return settle(plan, session, group, started, moved);
        } catch (CollectiveFailedException failure) {
            plans.collectiveFailed(plan, session, failure);
        } catch (HandoverRefused | CheckpointException refused) {
            plans.cannotEnter(plan, refused);
        }
        group.close();
        if (before != null) {
            before.transition().close();
        }
        return new Outside();
    }

    /** A plan over the group of a world that this worker is not in any more: only a new group helps. */
    private Outcome missedGroup(Plan plan, JobSession session) {
        plans.collectiveFailed(
                plan,
                session,
                new CollectiveFailedException(
                        "group", plan.group().value(), List.of(), "this rank has left the group"));
        return new Outside();
    }

    private Outcome goOn(Plan plan, JobSession session, World before, long started) {
        Plan.Member me = plan.member(identity.ref()).orElseThrow();
        entered(plan, session, started, 0);
        return new Inside(World.of(plan, me, session, before.transition(), before.members()));
    }

    private Outcome settle(Plan plan, JobSession session, Communicator group, long started, long moved) {
        Optional<Plan.Member> me = plan.member(identity.ref());
        if (me.isEmpty()) {
            group.close();
            log.atInfo()
                    .addKeyValue("job", plan.job())
                    .addKeyValue("generation", plan.generation())
                    .log("state handed over, standing by");
            return new HandedOver();
        }
        clock.forget();
        entered(plan, session, started, moved);
        return new Inside(World.of(plan, me.get(), session, group, group.prefix(plan.worldSize())));
    }

    private void entered(Plan plan, JobSession session, long started, long moved) {
        steps.readings().entered(plan.generation());
        steps.readings().spans().unlessTrivial(Phase.STATE_MOVE, started);
        session.trainer().precision(plan.config().precision());
        checkpoints.entered(plan);
        if (plan.config().runState() != RunState.STOPPED) {
            plans.applied(plan, session, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - started), moved);
        }
    }

    private void rollForward(JobSession session) {
        ReducedStep step = session.reducedStep();
        if (step == null) {
            throw new IllegalStateException(
                    "only a reduced step can be rolled forward: committed=" + session.committedStep());
        }
        UpdatePhase.Applied applied = UpdatePhase.apply(session, step);
        long stepMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - step.startedNanos());
        steps.rolledForward(session, identity.ref(), step, applied, stepMicros);
    }
}
