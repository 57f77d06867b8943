package io.myolotrain.core.simulation;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** What the weather does to the pool, and what people ask for meanwhile. */
final class Trouble {
    private static final int PAUSE_MAX_MS = 500;

    private final ClusterSimulation pool;
    private final Random random;
    private final Weather weather;
    private final List<Runnable> kinds = new ArrayList<>();

    Trouble(ClusterSimulation pool, Random random) {
        this.pool = pool;
        this.random = random;
        this.weather = pool.weather;
        often(2, this::crash);
        often(3, this::comeBack);
        often(1, this::drain);
        often(4, () -> pool.change(randomChange()));
        often(weather.hangs() ? 3 : 0, this::hang);
        often(weather.partitions() ? 2 : 0, this::part);
        often(weather.coordinatorRests() ? 1 : 0, () -> pool.log.restFor(random.nextInt(2_000)));
        often(weather.outsiders() ? 2 : 0, this::nonsense);
    }

    private void often(int share, Runnable kind) {
        for (int i = 0; i < share; i++) {
            kinds.add(kind);
        }
    }

    void schedule() {
        pool.time.after(random.nextInt(PAUSE_MAX_MS), () -> {
            if (!pool.quiet) {
                kinds.get(random.nextInt(kinds.size())).run();
                schedule();
            }
        });
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

    private List<VirtualWorker> living() {
        return pool.workers.values().stream().filter(w -> w.alive).toList();
    }

    private VirtualWorker any(List<VirtualWorker> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** One, or as many as a power supply feeds. */
    private void crash() {
        if (weather.oneAtATime() && !pool.settled()) {
            return;
        }
        int victims = weather.oneAtATime() || random.nextInt(4) != 0 ? 1 : 1 + random.nextInt(4);
        for (int i = 0; i < victims && !living().isEmpty(); i++) {
            pool.kill(any(living()));
        }
    }

    private void comeBack() {
        String id = "w" + random.nextInt(ClusterSimulation.IDS);
        VirtualWorker known = pool.workers.get(new WorkerId(id));
        if (known == null || !known.alive) {
            pool.join(id, known == null ? 1 : known.ref().incarnation() + 1);
        }
    }

    private void drain() {
        List<VirtualWorker> candidates =
                living().stream().filter(w -> !w.draining && w.isUp()).toList();
        if (candidates.size() > 1) {
            pool.drain(any(candidates));
        }
    }

    /** SIGSTOP: some wake before anyone noticed, some when the others have long gone on. */
    private void hang() {
        if (living().isEmpty()) {
            return;
        }
        VirtualWorker worker = any(living());
        worker.hang();
        pool.time.after(random.nextInt(random.nextBoolean() ? 500 : 6_000), worker::wake);
    }

    private void part() {
        pool.network.part(someone(), someone());
        pool.time.after(200 + random.nextInt(4_000), pool.network::heal);
    }

    private Set<WorkerId> someone() {
        var some = new TreeSet<WorkerId>();
        for (int i = 0; i < ClusterSimulation.IDS; i++) {
            if (random.nextInt(3) == 0) {
                some.add(new WorkerId("w" + i));
            }
        }
        return some;
    }

    /** Well-formed events that are not true; who sends them is no member, or of a life that is over. */
    private void nonsense() {
        var nobody = new WorkerRef(new WorkerId(random.nextBoolean() ? "w9" : "w" + random.nextInt(4)), 0);
        var generation = new Generation(random.nextInt(12));
        long step = random.nextInt(200);
        pool.log.arrive(
                switch (random.nextInt(6)) {
                    case 0 -> new Event.TimerFired("plan:job:" + generation, 0);
                    case 1 -> new Event.WorkerLeft(nobody, "never was here");
                    case 2 ->
                        new Event.PlanApplied(
                                ClusterSimulation.JOB, ClusterSimulation.ATTEMPT, generation, nobody, step, 0, 0);
                    case 3 ->
                        new Event.CollectiveFailed(
                                ClusterSimulation.JOB,
                                ClusterSimulation.ATTEMPT,
                                generation,
                                nobody,
                                step,
                                living().stream().map(VirtualWorker::ref).toList(),
                                "so they say");
                    case 4 ->
                        new Event.PlanFailed(
                                ClusterSimulation.JOB, ClusterSimulation.ATTEMPT, generation, nobody, "no memory");
                    default ->
                        new Event.StepCompleted(
                                ClusterSimulation.JOB,
                                "another attempt",
                                generation,
                                step,
                                new Rank(0),
                                nobody,
                                new MicroBatchRange(0, 1),
                                step,
                                4,
                                0,
                                1,
                                1,
                                1,
                                1);
                });
    }
}
