package io.myolotrain.core.simulation;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.Precision;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.TrainingConfig.Schedule;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A pool in virtual time: the real coordinator, and workers that obey its plans over a network that delays, reorders and
 * repeats, while they crash, drain, return, hang and fail to prepare. Everything follows from the seed.
 */
final class ClusterSimulation {
    static final PoolId POOL = new PoolId("pool");
    static final JobId JOB = new JobId("job");
    static final String ATTEMPT = "attempt";
    private static final int MICRO_BATCH = 4;
    private static final long FAULTS_MS = 12_000;
    private static final long QUIET_MAX_MS = 1_800_000;
    private static final long STEP_MS = 60;
    private static final long QUIET_STEP_MS = 2_000;
    private static final long FENCED_GRACE_MS = 60_000;
    private static final int IDS = 6;

    /**
     * How rough it gets.
     *
     * @param oneAtATime a worker dies only when the plan after the last death is in force: no shard is ever lost
     * @param slander survivors may suspect workers that are well
     */
    record Weather(boolean oneAtATime, boolean slander) {}

    private final Random random;
    private final Weather weather;
    private final VirtualTime time = new VirtualTime();
    private final Coordinator coordinator = new Coordinator();
    private final TreeMap<WorkerId, VirtualWorker> workers = new TreeMap<>();
    private final Invariants invariants;
    final List<JournalEntry> journal = new ArrayList<>();
    final List<Decision> decisions = new ArrayList<>();
    ClusterState state = ClusterState.empty(POOL);
    private boolean quiet;

    ClusterSimulation(long seed, Weather weather) {
        this.random = new Random(seed);
        this.weather = weather;
        this.invariants = new Invariants(weather.oneAtATime());
    }

    /** Trouble for a while, then peace until the job runs as desired; true when it came to that. */
    boolean run() {
        for (int i = 0; i < 4; i++) {
            join("w" + i, 1);
        }
        send(new Event.JobSubmitted(spec(), "alice"));
        scheduleTrouble();
        while (time.runNext(FAULTS_MS)) {
            // until the trouble ends
        }
        quiet = true;
        makePeace();
        long end = time.nowMs() + QUIET_MAX_MS;
        while (time.runNext(end)) {
            if (atPeace()) {
                return true;
            }
        }
        return false;
    }

    private static JobSpec spec() {
        var config = new TrainingConfig(
                2,
                32,
                1e-3,
                0,
                Schedule.CONSTANT,
                0,
                100,
                0.1,
                0.9,
                0.95,
                1e-8,
                1,
                Precision.FLOAT32,
                5,
                0,
                1_000_000,
                RunState.RUNNING);
        var shape = new ModelShape(ModelShape.Family.GPT, 3, 8, 2, 8, 256, 2, 0);
        return new JobSpec(JOB, POOL, ATTEMPT, shape, 1, MICRO_BATCH, "data", JobSpec.Transport.AUTO, 2, config);
    }

    // ---- the network and the log ----

    private long delay() {
        return random.nextInt(10) == 0 ? random.nextInt(400) : random.nextInt(20);
    }

    private void send(Event... events) {
        Runnable arrival = () -> {
            for (Event event : events) {
                arrive(event);
            }
        };
        time.after(delay(), arrival);
        if (random.nextInt(20) == 0) {
            time.after(delay(), arrival); // the sequencer drops repeats by their id; the coordinator survives them too
        }
    }

    private void arrive(Event event) {
        var entry = new JournalEntry(journal.size(), "e" + journal.size(), time.nowMs(), event);
        ClusterState before = state;
        Coordinator.Outcome outcome = coordinator.process(state, entry);
        journal.add(entry);
        decisions.add(outcome.decision());
        state = outcome.state();
        invariants.afterDecision(before, outcome);
        for (Fact fact : outcome.decision().facts()) {
            if (fact instanceof Fact.PlanIssued issued) {
                publish(issued.plan());
            } else if (fact instanceof Fact.TimerSet timer) {
                time.after(timer.dueMs() - time.nowMs(), () -> fire(timer));
            }
        }
    }

    /** A timer that was cleared may still fire: the sequencer hears of it later. */
    private void fire(Fact.TimerSet timer) {
        if (state.timers().containsKey(timer.timer()) || random.nextInt(10) == 0) {
            arrive(new Event.TimerFired(timer.timer(), timer.dueMs()));
        }
    }

    private void publish(Plan plan) {
        for (VirtualWorker worker : List.copyOf(workers.values())) {
            time.after(delay(), () -> receive(worker, plan));
            if (random.nextInt(20) == 0) {
                time.after(delay(), () -> receive(worker, plan));
            }
        }
    }

    // ---- workers ----

    private void join(String id, long incarnation) {
        var ref = new WorkerRef(new WorkerId(id), incarnation);
        String host = "host-" + (id.charAt(1) - '0') % 2;
        var info = new WorkerInfo(ref, POOL, host, "127.0.0.1", 1, 2, 3, "generic", "3");
        var worker = new VirtualWorker(info);
        workers.put(ref.id(), worker);
        send(new Event.WorkerJoined(info));
        watch(worker);
    }

    /** The sequencer's deadline: a worker that the pool has and that is gone is lost, sooner or later. */
    private void watch(VirtualWorker worker) {
        time.after(700 + random.nextInt(300), () -> {
            if (!worker.alive && state.isLive(worker.ref())) {
                send(new Event.WorkerLost(worker.ref(), 700));
            }
            if (worker.alive || state.isLive(worker.ref())) {
                watch(worker);
            }
        });
    }

    private void receive(VirtualWorker worker, Plan plan) {
        if (!worker.alive || !plan.generation().isAfter(worker.newest)) {
            return;
        }
        worker.newest = plan.generation();
        worker.offered = plan;
        worker.ready = false;
        if (plan.involves(worker.ref())) {
            time.after(5 + random.nextInt(150), () -> prepared(worker, plan));
        } else if (worker.world != null) {
            time.after(FENCED_GRACE_MS, () -> leaveWhenFenced(worker, plan));
        } else if (worker.draining) {
            time.after(50, () -> leaveAfterDrain(worker));
        }
    }

    private void prepared(VirtualWorker worker, Plan plan) {
        if (!worker.alive || !plan.equals(worker.offered)) {
            return;
        }
        boolean joins = worker.world == null;
        int luck = quiet || !joins ? 99 : random.nextInt(60);
        if (luck == 0) {
            send(new Event.PlanFailed(JOB, ATTEMPT, plan.generation(), worker.ref(), "no memory"));
        } else if (luck != 1) { // 1: hangs
            worker.ready = true;
            World world = worker.world;
            if (world == null || world.broken || !world.plan.config().runState().equals(RunState.RUNNING)) {
                tryAdopt(plan);
            }
        }
    }

    /** A newer plan goes on without this worker, and nothing has called it back since. */
    private void leaveWhenFenced(VirtualWorker worker, Plan plan) {
        if (worker.alive && worker.world != null && plan.equals(worker.offered)) {
            breakWorld(worker.world, List.of(worker));
            worker.world = null;
        }
    }

    private void leaveAfterDrain(VirtualWorker worker) {
        if (worker.alive && worker.world == null) {
            worker.alive = false;
            send(new Event.WorkerLeft(worker.ref(), "drained"));
        }
    }

    // ---- adopting a plan ----

    /** All whom the plan involves are ready, and all who train now are involved; else nothing happens. */
    private void tryAdopt(Plan plan) {
        var involved = new ArrayList<VirtualWorker>();
        var members = new ArrayList<VirtualWorker>();
        plan.members().forEach(m -> members.add(workers.get(m.worker().ref().id())));
        involved.addAll(members);
        plan.departing().forEach(d -> involved.add(workers.get(d.ref().id())));
        if (!involved.stream().allMatch(w -> w.isReadyFor(plan) && plan.involves(w.ref()))) {
            return;
        }
        World source = newestWorld(involved);
        boolean resumes = plan.resumeStep().isPresent();
        if (!resumes && (source == null || !source.holdsAllShardsAmong(involved))) {
            invariants.stateWasLost(plan);
            send(new Event.PlanFailed(
                    JOB,
                    ATTEMPT,
                    plan.generation(),
                    plan.members().get(0).worker().ref(),
                    "shard lost"));
            members.forEach(w -> w.ready = false);
            return;
        }
        if (source != null && !source.broken && !involved.containsAll(source.living())) {
            return; // someone who trains now has no part in it and does not vote
        }
        switchTo(plan, members, involved, source);
    }

    private World newestWorld(List<VirtualWorker> involved) {
        World newest = null;
        for (VirtualWorker worker : involved) {
            boolean newer = worker.world != null
                    && (newest == null || worker.world.plan.generation().isAfter(newest.plan.generation()));
            newest = newer ? worker.world : newest;
        }
        return newest;
    }

    private void switchTo(Plan plan, List<VirtualWorker> members, List<VirtualWorker> involved, World source) {
        long committed = plan.resumeStep().orElseGet(() -> involved.stream()
                .filter(w -> w.world == source)
                .mapToLong(w -> w.committed)
                .max()
                .orElseThrow());
        invariants.switched(plan, committed, source);
        var world = new World(plan, members, committed, invariants.samplesAt(committed));
        involved.forEach(w -> {
            if (w.world != null && w.world != source) {
                w.world.broken = true;
            }
            w.world = null;
            w.ready = false;
        });
        if (source != null) {
            source.broken = true;
        }
        boolean stops = plan.config().runState() == RunState.STOPPED;
        for (VirtualWorker worker : members) {
            worker.committed = committed;
            worker.world = stops ? null : world;
            var applied = new Event.PlanApplied(JOB, ATTEMPT, plan.generation(), worker.ref(), committed + 1, 900, 0);
            if (stops && worker == members.get(0)) {
                send(checkpoint(plan, committed), applied);
            } else {
                send(applied);
            }
        }
        involved.stream()
                .filter(w -> w.draining && w.world == null)
                .forEach(w -> time.after(50, () -> leaveAfterDrain(w)));
        if (!stops) {
            stepLater(world);
        }
    }

    // ---- steps ----

    private void stepLater(World world) {
        time.after((quiet ? QUIET_STEP_MS : STEP_MS) + random.nextInt(20), () -> step(world));
    }

    private void step(World world) {
        if (world.broken) {
            return;
        }
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

    /** @param who sees the commit: all, or those who live to see it when one dies in the middle */
    private void commit(World world, List<VirtualWorker> who) {
        long step = ++world.committed;
        invariants.committed(world.plan, step, world.samples);
        world.samples += world.plan.config().globalBatch();
        for (VirtualWorker worker : who) {
            worker.committed = step;
            Member member = world.plan.member(worker.ref()).orElseThrow();
            send(stepCompleted(world, member, step));
        }
        if (step % world.plan.config().checkpointEverySteps() == 0) {
            send(checkpoint(world.plan, step));
        }
    }

    private static Event.StepCompleted stepCompleted(World world, Member member, long step) {
        long position = world.samples
                - world.plan.config().globalBatch()
                + (long) member.microBatches().first() * MICRO_BATCH;
        return new Event.StepCompleted(
                JOB,
                ATTEMPT,
                world.plan.generation(),
                step,
                member.rank(),
                member.worker().ref(),
                member.microBatches(),
                position,
                member.microBatches().count() * MICRO_BATCH,
                0,
                1.0 / step,
                1,
                1e-3,
                STEP_MS * 1_000);
    }

    private static Event.CheckpointWritten checkpoint(Plan plan, long step) {
        return new Event.CheckpointWritten(JOB, ATTEMPT, plan.generation(), step, "step-" + step, 10);
    }

    // ---- trouble ----

    private void scheduleTrouble() {
        time.after(random.nextInt(500), () -> {
            if (!quiet) {
                trouble();
                scheduleTrouble();
            }
        });
    }

    private void trouble() {
        switch (random.nextInt(10)) {
            case 0, 1 -> crash();
            case 2, 3, 4 -> comeBack();
            case 5 -> drain();
            default -> change(randomChange());
        }
    }

    private String[] randomChange() {
        return switch (random.nextInt(12)) {
            case 0 -> new String[] {"batch", new String[] {"16", "32", "64", "30"}[random.nextInt(4)]};
            case 1 -> new String[] {"lr", "0.00" + (1 + random.nextInt(8))};
            case 2 -> new String[] {"state", "paused"};
            case 3 -> new String[] {"state", random.nextInt(2) == 0 ? "stopped" : "running"};
            case 4, 5 -> new String[] {"state", "running"};
            default -> new String[] {"workers", Integer.toString(random.nextInt(6))};
        };
    }

    private void change(String... keyAndValue) {
        var changes = new TreeMap<String, String>();
        for (int i = 0; i < keyAndValue.length; i += 2) {
            changes.put(keyAndValue[i], keyAndValue[i + 1]);
        }
        send(new Event.ConfigChangeRequested(JOB, changes, "alice"));
    }

    private void crash() {
        List<VirtualWorker> living =
                workers.values().stream().filter(w -> w.alive).toList();
        if (living.isEmpty() || (weather.oneAtATime() && !settled())) {
            return;
        }
        kill(living.get(random.nextInt(living.size())));
    }

    /** The plan in force runs on living workers, and nothing is on its way. */
    private boolean settled() {
        JobState job = state.jobs().get(JOB);
        return job != null
                && job.pending().isEmpty()
                && job.active().isPresent()
                && job.active().get().members().stream().allMatch(m -> {
                    VirtualWorker w = workers.get(m.worker().ref().id());
                    return w.alive
                            && w.world != null
                            && w.world.plan.equals(job.active().get())
                            && !w.world.broken;
                });
    }

    private void kill(VirtualWorker worker) {
        worker.alive = false;
        World world = worker.world;
        if (world != null && !world.broken) {
            boolean midStep = random.nextInt(3) == 0
                    && world.plan.config().runState() == RunState.RUNNING
                    && !world.living().isEmpty();
            if (midStep) {
                List<VirtualWorker> survivors = world.living();
                commit(world, survivors.subList(0, 1 + random.nextInt(survivors.size())));
            }
            breakWorld(world, List.of(worker));
        }
    }

    private void breakWorld(World world, List<VirtualWorker> culprits) {
        world.broken = true;
        for (VirtualWorker survivor : world.living()) {
            if (culprits.contains(survivor)) {
                continue;
            }
            var suspects = new ArrayList<WorkerRef>();
            if (random.nextInt(4) != 0) {
                culprits.forEach(c -> suspects.add(c.ref()));
            }
            if (weather.slander() && !quiet && random.nextInt(8) == 0) {
                suspects.add(
                        world.members.get(random.nextInt(world.members.size())).ref());
            }
            time.after(random.nextInt(30), () -> report(survivor, world, suspects));
        }
    }

    private void report(VirtualWorker survivor, World world, List<WorkerRef> suspects) {
        if (survivor.alive && survivor.world == world) {
            send(new Event.CollectiveFailed(
                    JOB,
                    ATTEMPT,
                    world.plan.generation(),
                    survivor.ref(),
                    survivor.committed,
                    suspects,
                    "peer closed"));
            if (survivor.offered != null && survivor.ready) {
                tryAdopt(survivor.offered);
            }
        }
    }

    private void comeBack() {
        String id = "w" + random.nextInt(IDS);
        VirtualWorker known = workers.get(new WorkerId(id));
        if (known == null || !known.alive) {
            join(id, known == null ? 1 : known.ref().incarnation() + 1);
        }
    }

    private void drain() {
        List<VirtualWorker> living =
                workers.values().stream().filter(w -> w.alive && !w.draining).toList();
        if (living.size() > 1) {
            VirtualWorker worker = living.get(random.nextInt(living.size()));
            worker.draining = true;
            send(new Event.WorkerDraining(worker.ref(), "maintenance"));
            if (worker.world == null) {
                time.after(500, () -> leaveAfterDrain(worker));
            }
        }
    }

    // ---- peace ----

    /** Whoever was slandered or fenced comes back as a new process; then two healthy workers are asked for. */
    private void makePeace() {
        for (VirtualWorker worker : List.copyOf(workers.values())) {
            if (worker.alive && (worker.draining || !state.isLive(worker.ref()))) {
                kill(worker);
            }
        }
        time.after(5_000, () -> {
            for (int i = 0; i < IDS; i++) {
                VirtualWorker known = workers.get(new WorkerId("w" + i));
                if (known == null || !known.alive || !state.isLive(known.ref())) {
                    if (known != null && known.alive) {
                        kill(known);
                    }
                    join("w" + i, known == null ? 1 : known.ref().incarnation() + 1);
                }
            }
        });
        time.after(10_000, () -> change("state", "running", "workers", "3", "batch", "32"));
        time.after(20_000, () -> invariants.expectPeace(state));
    }

    private boolean atPeace() {
        JobState job = state.jobs().get(JOB);
        if (time.nowMs() < FAULTS_MS + 25_000 || job == null || job.phase() != JobPhase.RUNNING) {
            return false;
        }
        return job.desired().workers() == 3
                && settled()
                && job.active().get().config().equals(job.desired())
                && job.active().get().members().size() == 3
                && job.committedStep() >= invariants.peaceStep() + 3;
    }

    String describe() {
        JobState job = state.jobs().get(JOB);
        return job == null
                ? "none"
                : "phase=" + job.phase() + " desired=" + job.desired() + " active="
                        + job.active().map(ClusterSimulation::brief) + " pending="
                        + job.pending().map(ClusterSimulation::brief) + " attempts="
                        + job.plans().attempts() + " committed=" + job.committedStep() + " excluded=" + job.excluded()
                        + " pool=" + state.workers().values();
    }

    private static String brief(Plan plan) {
        return "generation " + plan.generation() + " on "
                + plan.members().stream().map(m -> m.worker().ref().toString()).toList() + " departing "
                + plan.departing().stream().map(w -> w.ref().toString()).toList();
    }
}
