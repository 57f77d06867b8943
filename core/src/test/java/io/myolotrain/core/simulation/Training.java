package io.myolotrain.core.simulation;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What workers do under a plan: adopt it together, step in lock-step, notice that one is missing. */
final class Training {
    private static final long STEP_MS = 60;
    private static final long QUIET_STEP_MS = 2_000;
    private static final int DETECTION_MS = 300;
    private static final int INTERRUPTED_ONE_IN = 25;

    private final ClusterSimulation pool;
    private final VirtualTime time;
    private final Random random;
    private final VirtualNetwork network;
    private final Invariants invariants;
    private final Weather weather;
    private final Map<WorkerId, VirtualWorker> workers;

    Training(ClusterSimulation pool, Random random, Map<WorkerId, VirtualWorker> workers) {
        this.pool = pool;
        this.time = pool.time;
        this.random = random;
        this.network = pool.network;
        this.invariants = pool.invariants;
        this.weather = pool.weather;
        this.workers = workers;
    }

    // ---- adopting a plan ----

    /** All whom the plan involves are ready and reach each other, and all who train now are involved; else nothing happens. */
    void tryAdopt(Plan plan) {
        List<VirtualWorker> involved = present(plan);
        if (involved == null) {
            return;
        }
        World source = newestWorld(involved);
        if (source != null && !source.broken && !involved.containsAll(source.living())) {
            return; // someone who trains now has no part in it and does not vote
        }
        if (!pool.quiet && !weather.oneAtATime() && random.nextInt(INTERRUPTED_ONE_IN) == 0) {
            interrupted(plan, involved, source);
            return;
        }
        boolean stateIsHere = plan.resumeStep().isEmpty() && source != null && source.holdsAllShardsAmong(involved);
        World world = stateIsHere && source != null ? goOn(plan, involved, source) : startAgain(plan, involved);
        involved.forEach(Training::leave);
        if (source != null) {
            source.broken = true;
        }
        enter(world, involved);
    }

    private @Nullable List<VirtualWorker> present(Plan plan) {
        var involved = new ArrayList<VirtualWorker>();
        plan.participants().forEach(info -> involved.add(workers.get(info.ref().id())));
        boolean ready = involved.stream()
                .allMatch(w -> w.isReadyFor(plan) && plan.involves(w.ref()) && network.reach(w, involved.get(0)));
        return ready ? involved : null;
    }

    private static @Nullable World newestWorld(List<VirtualWorker> involved) {
        World newest = null;
        for (VirtualWorker worker : involved) {
            boolean newer = worker.world != null
                    && (newest == null || worker.world.plan.generation().isAfter(newest.plan.generation()));
            newest = newer ? worker.world : newest;
        }
        return newest;
    }

    private World goOn(Plan plan, List<VirtualWorker> involved, World source) {
        long committed = involved.stream()
                .filter(w -> w.world == source)
                .mapToLong(w -> w.committed)
                .max()
                .orElseThrow();
        source.lineage.goOnFrom(committed);
        var world = new World(plan, members(plan), committed, source.lineage);
        invariants.switched(world, source);
        return world;
    }

    /** Nobody has the state, or a shard died with its owners: the newest checkpoint, whatever the plan thought. */
    private World startAgain(Plan plan, List<VirtualWorker> involved) {
        Lineage lineage = invariants.current().resumed();
        var world = new World(plan, members(plan), lineage.lastCheckpoint(), lineage);
        invariants.resumed(world);
        return world;
    }

    private List<VirtualWorker> members(Plan plan) {
        return plan.members().stream()
                .map(m -> workers.get(m.worker().ref().id()))
                .toList();
    }

    /** Whatever world it was in does not step without it. */
    private static void leave(VirtualWorker worker) {
        if (worker.world != null) {
            worker.world.broken = true;
        }
        worker.world = null;
        worker.ready = false;
    }

    private void enter(World world, List<VirtualWorker> involved) {
        Plan plan = world.plan;
        boolean stops = plan.config().runState() == RunState.STOPPED;
        VirtualWorker first = world.members.get(0);
        if (stops) {
            world.lineage.checkpoint(world.committed);
            world.broken = true;
        }
        for (VirtualWorker worker : world.members) {
            worker.committed = world.committed;
            worker.world = stops ? null : world;
            var applied = new Event.PlanApplied(
                    ClusterSimulation.JOB,
                    ClusterSimulation.ATTEMPT,
                    plan.generation(),
                    worker.ref(),
                    world.committed + 1,
                    900,
                    0);
            if (stops && worker == first) {
                pool.send(worker, checkpoint(plan, world.committed), applied);
            } else {
                pool.send(worker, applied);
            }
        }
        involved.stream()
                .filter(w -> w.draining && w.world == null)
                .forEach(w -> time.after(50, () -> pool.leaveAfterDrain(w)));
        if (!stops) {
            stepLater(world);
        }
    }

    /** One dies while state moves: the others leave both worlds, each with what it held. */
    private void interrupted(Plan plan, List<VirtualWorker> involved, @Nullable World source) {
        VirtualWorker victim = involved.get(random.nextInt(involved.size()));
        pool.die(victim);
        if (source != null) {
            source.broken = true;
        }
        for (VirtualWorker survivor : involved) {
            survivor.ready = false;
            if (survivor != victim) {
                time.after(
                        random.nextInt(30),
                        () -> survivor.act(() -> report(survivor, plan.generation(), List.of(victim.ref()))));
            }
        }
    }

    // ---- steps ----

    private void stepLater(World world) {
        time.after((pool.quiet ? QUIET_STEP_MS : STEP_MS) + random.nextInt(20), () -> step(world));
    }

    private void step(World world) {
        if (world.broken) {
            return;
        }
        if (!isTogether(world)) {
            time.after(DETECTION_MS + random.nextInt(DETECTION_MS), () -> stalled(world));
            return;
        }
        invariants.training(world);
        boolean runs = world.plan.config().runState() == RunState.RUNNING
                && world.committed < world.plan.config().maxSteps();
        if (runs) {
            commit(world, world.living());
        }
        Plan offered = world.members.get(0).offered;
        if (offered != null && offered.generation().isAfter(world.plan.generation())) {
            tryAdopt(offered);
        }
        stepLater(world);
    }

    private boolean isTogether(World world) {
        return world.living().size() == world.members.size()
                && world.members.stream().allMatch(w -> w.isUp() && network.reach(w, world.members.get(0)));
    }

    /** A collective takes longer than recent steps explain: who is there leaves it and names who did not arrive. */
    private void stalled(World world) {
        if (world.broken) {
            return;
        }
        if (isTogether(world)) {
            step(world);
        } else {
            breakUp(world, List.of());
        }
    }

    /** @param who sees the commit: all, or those who live to see it when one dies in the middle */
    private void commit(World world, List<VirtualWorker> who) {
        long step = ++world.committed;
        world.lineage.commit(step, world.plan.config().globalBatch());
        for (VirtualWorker worker : who) {
            worker.committed = step;
            pool.send(
                    worker, stepCompleted(world, world.plan.member(worker.ref()).orElseThrow(), step));
        }
        if (step % world.plan.config().checkpointEverySteps() == 0) {
            world.lineage.checkpoint(step);
            pool.send(who.get(0), checkpoint(world.plan, step));
        }
    }

    private static Event.StepCompleted stepCompleted(World world, Member member, long step) {
        int microBatch = world.plan.spec().microBatch();
        long position = world.lineage.samplesAfter(step)
                - world.plan.config().globalBatch()
                + (long) member.microBatches().first() * microBatch;
        return new Event.StepCompleted(
                ClusterSimulation.JOB,
                ClusterSimulation.ATTEMPT,
                world.plan.generation(),
                step,
                member.rank(),
                member.worker().ref(),
                member.microBatches(),
                position,
                member.microBatches().count() * microBatch,
                0,
                1.0 / step,
                1,
                1e-3,
                STEP_MS * 1_000);
    }

    private static Event.CheckpointWritten checkpoint(Plan plan, long step) {
        return new Event.CheckpointWritten(
                ClusterSimulation.JOB, ClusterSimulation.ATTEMPT, plan.generation(), step, "step-" + step, 10);
    }

    // ---- what breaks ----

    /** A member is gone; in the middle of a step, some of the others may have committed it and some not. */
    void lost(VirtualWorker member) {
        World world = member.world;
        if (world == null || world.broken) {
            return;
        }
        List<VirtualWorker> survivors = world.living();
        boolean midStep = random.nextInt(3) == 0
                && world.plan.config().runState() == RunState.RUNNING
                && !survivors.isEmpty()
                && isUpTogether(survivors);
        if (midStep) {
            commit(world, survivors.subList(0, 1 + random.nextInt(survivors.size())));
        }
        breakUp(world, List.of(member));
    }

    private boolean isUpTogether(List<VirtualWorker> survivors) {
        return survivors.stream().allMatch(w -> w.isUp() && network.reach(w, survivors.get(0)));
    }

    /** Everyone leaves the collective and says whom it misses; who hangs does so when it wakes, and misses everybody. */
    void breakUp(World world, List<VirtualWorker> gone) {
        world.broken = true;
        for (VirtualWorker survivor : world.living()) {
            if (gone.contains(survivor)) {
                continue;
            }
            var missing = new ArrayList<WorkerRef>();
            if (!survivor.isUp()) {
                world.members.stream().filter(w -> w != survivor).forEach(w -> missing.add(w.ref()));
            } else if (random.nextInt(4) != 0) {
                world.members.stream()
                        .filter(w -> gone.contains(w) || !w.isUp() || w.world != world || !network.reach(w, survivor))
                        .forEach(w -> missing.add(w.ref()));
            }
            if (weather.slander() && !pool.quiet && random.nextInt(8) == 0) {
                missing.add(
                        world.members.get(random.nextInt(world.members.size())).ref());
            }
            time.after(
                    random.nextInt(30),
                    () -> survivor.act(() -> {
                        if (survivor.world == world) {
                            report(survivor, world.plan.generation(), missing);
                        }
                    }));
        }
    }

    private void report(VirtualWorker survivor, Generation generation, List<WorkerRef> missing) {
        pool.send(
                survivor,
                new Event.CollectiveFailed(
                        ClusterSimulation.JOB,
                        ClusterSimulation.ATTEMPT,
                        generation,
                        survivor.ref(),
                        survivor.committed,
                        missing,
                        "peer closed"));
        if (survivor.offered != null && survivor.ready) {
            tryAdopt(survivor.offered);
        }
    }
}
