package io.myolotrain.core.simulation;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Delays, reorders, repeats and loses what is sent; keeps parts of the pool apart for a while. */
final class VirtualNetwork {
    private static final int REPEATED_ONE_IN = 20;
    private static final int SLOW_ONE_IN = 10;
    private static final int SLOW_MS = 400;
    private static final int QUICK_MS = 20;
    private static final long RETRY_MS = 150;

    private final VirtualTime time;
    private final Random random;
    private final int lossPermille;
    private final Set<WorkerId> cutFromLog = new TreeSet<>();
    private final Set<WorkerId> island = new TreeSet<>();
    private boolean fair;

    VirtualNetwork(VirtualTime time, Random random, int lossPermille) {
        this.time = time;
        this.random = random;
        this.lossPermille = lossPermille;
    }

    /** What a process has handed to its producer and the broker does not have yet; its end may cut it short anywhere. */
    static final class Sending {
        private final List<Event> events;
        private int cutAt;

        private Sending(List<Event> events) {
            this.events = events;
            this.cutAt = events.size();
        }
    }

    long delay() {
        return random.nextInt(SLOW_ONE_IN) == 0 ? random.nextInt(SLOW_MS) : random.nextInt(QUICK_MS);
    }

    /** From a process to the log, the events in their order. While the process is cut off, its producer tries again. */
    void toLog(VirtualWorker from, List<Event> events, Consumer<Event> log) {
        var sending = new Sending(events.stream().filter(this::isKept).toList());
        from.sendings.add(sending);
        deliver(from, sending, log, delay());
        if (random.nextInt(REPEATED_ONE_IN) == 0) {
            deliver(from, sending, log, delay());
        }
    }

    /** A producer that gives up loses a report; joins and checkpoints are what its process waits for. */
    private boolean isKept(Event event) {
        return fair
                || event instanceof Event.WorkerJoined
                || event instanceof Event.CheckpointWritten
                || random.nextInt(1_000) >= lossPermille;
    }

    private void deliver(VirtualWorker from, Sending sending, Consumer<Event> log, long delayMs) {
        time.after(delayMs, () -> {
            if (cutFromLog.contains(from.ref().id()) && sending.cutAt > 0) {
                deliver(from, sending, log, RETRY_MS);
                return;
            }
            from.sendings.remove(sending);
            sending.events.subList(0, sending.cutAt).forEach(log);
        });
    }

    /** The process has died: some of what it was sending is out already, the rest never will be. */
    void senderDied(VirtualWorker worker) {
        boolean nothingGotOut = cutFromLog.contains(worker.ref().id());
        for (Sending sending : new ArrayList<>(worker.sendings)) {
            sending.cutAt = nothingGotOut ? 0 : random.nextInt(sending.events.size() + 1);
        }
    }

    /** From the log to a process that reads it: late perhaps, and twice, but never lost. */
    void toWorker(VirtualWorker to, Runnable arrival) {
        receive(to, arrival, delay());
        if (random.nextInt(REPEATED_ONE_IN) == 0) {
            receive(to, arrival, delay());
        }
    }

    private void receive(VirtualWorker to, Runnable arrival, long delayMs) {
        time.after(delayMs, () -> {
            if (!to.alive) {
                return;
            }
            if (cutFromLog.contains(to.ref().id())) {
                receive(to, arrival, RETRY_MS);
            } else {
                to.act(arrival);
            }
        });
    }

    boolean reachesLog(WorkerId worker) {
        return !cutFromLog.contains(worker);
    }

    boolean reach(VirtualWorker a, VirtualWorker b) {
        return island.contains(a.ref().id()) == island.contains(b.ref().id());
    }

    /** Who is on the island and who is not cannot reach each other; {@code silent} ones cannot reach the log. */
    void part(Set<WorkerId> onIsland, Set<WorkerId> silent) {
        heal();
        island.addAll(onIsland);
        cutFromLog.addAll(silent);
    }

    void heal() {
        island.clear();
        cutFromLog.clear();
    }

    /** From now on nothing is lost. */
    void becomeFair() {
        fair = true;
        heal();
    }
}
