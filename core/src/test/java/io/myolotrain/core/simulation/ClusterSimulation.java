package io.myolotrain.core.simulation;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.Precision;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.TrainingConfig.Schedule;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A pool in virtual time: the real coordinator, and worker processes that obey its plans. Everything follows from the seed.
 *
 * <pre>
 *  Trouble ──> workers ──events──> VirtualNetwork ──> VirtualLog (the real coordinator) ──plans──> workers
 *                 └── Training: worlds, steps, adoption; Lineage: what truly happened; Invariants: what must hold
 * </pre>
 */
final class ClusterSimulation implements VirtualLog.Readers {
    static final PoolId POOL = new PoolId("pool");
    static final JobId JOB = new JobId("job");
    static final String ATTEMPT = "attempt";
    static final int IDS = 6;
    private static final long FAULTS_MS = 12_000;
    private static final long QUIET_MAX_MS = 1_800_000;
    private static final long UNREACHED_MS = 2_000;
    private static final long FOUND_DEAD_MS = 100;

    final Weather weather;
    final VirtualTime time = new VirtualTime();
    final TreeMap<WorkerId, VirtualWorker> workers = new TreeMap<>();
    final VirtualNetwork network;
    final Invariants invariants;
    final VirtualLog log;
    boolean quiet;
    private final Random random;
    private final Training training;
    private final Trouble trouble;
    private long peaceStep = Long.MAX_VALUE;

    ClusterSimulation(long seed, Weather weather) {
        this.weather = weather;
        this.random = new Random(seed);
        this.network = new VirtualNetwork(time, random, weather.lossPermille());
        this.invariants = new Invariants(weather.oneAtATime());
        this.log = new VirtualLog(POOL, time, random, invariants, this, this::beats);
        this.training = new Training(this, random, workers);
        this.trouble = new Trouble(this, random);
    }

    /** Trouble for a while, then peace until the job runs as desired; true when it came to that. */
    boolean run() {
        for (int i = 0; i < 4; i++) {
            join("w" + i, 1);
        }
        time.after(network.delay(), () -> log.arrive(new Event.JobSubmitted(spec(), "alice")));
        trouble.schedule();
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
        return new JobSpec(JOB, POOL, ATTEMPT, shape, 1, 4, "data", JobSpec.Transport.AUTO, 2, config);
    }

    // ---- between the log and the processes ----

    void send(VirtualWorker from, Event... events) {
        network.toLog(from, List.of(events), log::arrive);
    }

    private boolean beats(WorkerRef ref) {
        VirtualWorker worker = workers.get(ref.id());
        return worker.ref().equals(ref) && worker.isUp() && network.reachesLog(ref.id());
    }

    @Override
    public void planIssued(Plan plan) {
        for (VirtualWorker worker : List.copyOf(workers.values())) {
            network.toWorker(worker, () -> receive(worker, plan));
        }
    }

    @Override
    public void workerRemoved(WorkerRef removed) {
        VirtualWorker worker = workers.get(removed.id());
        if (worker != null && worker.ref().equals(removed)) {
            network.toWorker(worker, () -> fence(worker));
        }
    }

    // ---- lives of a worker ----

    void join(String id, long incarnation) {
        var ref = new WorkerRef(new WorkerId(id), incarnation);
        String host = "host-" + (id.charAt(1) - '0') % 2;
        var info = new WorkerInfo(ref, POOL, host, "127.0.0.1", 1, 2, 3, "generic", "3");
        var worker = new VirtualWorker(info);
        workers.put(ref.id(), worker);
        send(worker, new Event.WorkerJoined(info));
    }

    /** Its process ends, in whatever it was doing. */
    void kill(VirtualWorker worker) {
        die(worker);
        training.lost(worker);
    }

    void die(VirtualWorker worker) {
        worker.alive = false;
        network.senderDied(worker);
    }

    /** This life is over: the process joins anew, as one that has nothing. */
    private void fence(VirtualWorker worker) {
        if (!worker.alive || workers.get(worker.ref().id()) != worker) {
            return;
        }
        worker.alive = false;
        if (worker.world != null && !worker.world.broken) {
            training.breakUp(worker.world, List.of(worker));
        }
        if (!worker.draining) {
            join(worker.ref().id().value(), worker.ref().incarnation() + 1);
        }
    }

    void drain(VirtualWorker worker) {
        worker.draining = true;
        send(worker, new Event.WorkerDraining(worker.ref(), "maintenance"));
        if (worker.world == null) {
            time.after(500, () -> leaveAfterDrain(worker));
        }
    }

    void leaveAfterDrain(VirtualWorker worker) {
        if (worker.isUp() && worker.world == null) {
            send(worker, new Event.WorkerLeft(worker.ref(), "drained"));
            worker.alive = false;
        }
    }

    // ---- plans ----

    private void receive(VirtualWorker worker, Plan plan) {
        if (!plan.generation().isAfter(worker.newest)) {
            return; // 1: a worker refuses what is older
        }
        worker.newest = plan.generation();
        worker.offered = plan;
        worker.ready = false;
        if (plan.involves(worker.ref())) {
            time.after(5 + random.nextInt(150), () -> worker.act(() -> prepared(worker, plan)));
        } else if (worker.world != null) {
            fence(worker);
        } else if (worker.draining) {
            time.after(50, () -> leaveAfterDrain(worker));
        }
    }

    private void prepared(VirtualWorker worker, Plan plan) {
        if (!plan.equals(worker.offered)) {
            return;
        }
        boolean joins = worker.world == null;
        int luck = quiet || !joins ? 99 : random.nextInt(60);
        if (luck == 0) {
            failed(worker, plan, "no memory");
        } else if (luck != 1) { // 1: never gets ready
            worker.ready = true;
            World world = worker.world;
            if (world == null || world.broken || world.plan.config().runState() != RunState.RUNNING) {
                training.tryAdopt(plan);
            }
            long patienceMs = random.nextBoolean() ? FOUND_DEAD_MS : UNREACHED_MS;
            time.after(patienceMs, () -> worker.act(() -> giveUpWaiting(worker, plan)));
        }
    }

    /** The group of the plan does not come together: somebody in it is dead, or cannot be reached. */
    private void giveUpWaiting(VirtualWorker worker, Plan plan) {
        if (!worker.ready || !plan.equals(worker.offered)) {
            return;
        }
        List<WorkerRef> gone = plan.participants().stream()
                .map(WorkerInfo::ref)
                .filter(ref -> !workers.get(ref.id()).ref().equals(ref) || !workers.get(ref.id()).alive)
                .toList();
        boolean apart = plan.participants().stream()
                .map(info -> workers.get(info.ref().id()))
                .anyMatch(peer -> !network.reach(worker, peer));
        if (apart || !gone.isEmpty()) {
            worker.ready = false;
            send(
                    worker,
                    new Event.PlanFailed(
                            JOB, ATTEMPT, plan.generation(), worker.ref(), "the group did not form", gone));
        }
    }

    private void failed(VirtualWorker worker, Plan plan, String reason) {
        send(worker, new Event.PlanFailed(JOB, ATTEMPT, plan.generation(), worker.ref(), reason));
    }

    void change(String... keyAndValue) {
        var changes = new TreeMap<String, String>();
        for (int i = 0; i < keyAndValue.length; i += 2) {
            changes.put(keyAndValue[i], keyAndValue[i + 1]);
        }
        time.after(network.delay(), () -> log.arrive(new Event.ConfigChangeRequested(JOB, changes, "alice")));
    }

    // ---- peace ----

    /** Everybody wakes and reaches everybody; who is gone comes back; then three workers are asked for. */
    private void makePeace() {
        network.becomeFair();
        log.getUp();
        List.copyOf(workers.values()).forEach(VirtualWorker::wake);
        invariants.manyMayDie(); // all who drain, at once
        for (VirtualWorker worker : List.copyOf(workers.values())) {
            if (worker.alive && worker.draining) {
                kill(worker);
            }
        }
        time.after(5_000, () -> {
            for (int i = 0; i < IDS; i++) {
                VirtualWorker known = workers.get(new WorkerId("w" + i));
                if (known == null || !known.alive) {
                    join("w" + i, known == null ? 1 : known.ref().incarnation() + 1);
                }
            }
        });
        time.after(10_000, () -> change("state", "running", "workers", "3", "batch", "32"));
        time.after(20_000, () -> peaceStep = Invariants.committed(log.state));
    }

    private boolean atPeace() {
        JobState job = log.state.jobs().get(JOB);
        if (peaceStep == Long.MAX_VALUE || job == null || job.phase() != JobPhase.RUNNING) {
            return false;
        }
        return job.desired().workers() == 3
                && settled()
                && job.active().orElseThrow().config().equals(job.desired())
                && job.active().orElseThrow().members().size() == 3
                && job.committedStep() >= peaceStep + 3;
    }

    /** The plan in force runs on living workers, and nothing is on its way. */
    boolean settled() {
        JobState job = log.state.jobs().get(JOB);
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

    String describe() {
        JobState job = log.state.jobs().get(JOB);
        return job == null
                ? "none"
                : "phase=" + job.phase() + " desired=" + job.desired() + " active="
                        + job.active().map(ClusterSimulation::brief) + " pending="
                        + job.pending().map(ClusterSimulation::brief) + " attempts="
                        + job.plans().attempts() + " committed=" + job.committedStep() + " accusation="
                        + job.accusation() + " excluded=" + job.excluded() + " pool="
                        + log.state.workers().keySet() + " timers=" + log.state.timers() + " now=" + time.nowMs();
    }

    private static String brief(Plan plan) {
        return "generation " + plan.generation() + " on "
                + plan.members().stream().map(m -> m.worker().ref().toString()).toList() + " departing "
                + plan.departing().stream().map(w -> w.ref().toString()).toList();
    }
}
