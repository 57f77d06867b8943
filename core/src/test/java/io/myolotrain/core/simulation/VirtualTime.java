package io.myolotrain.core.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock that jumps from one event to the next; ties in the order of scheduling. */
final class VirtualTime {
    private record Scheduled(long atMs, long order, Runnable action) {}

    private final PriorityQueue<Scheduled> queue =
            new PriorityQueue<>(Comparator.comparingLong(Scheduled::atMs).thenComparingLong(Scheduled::order));
    private long nowMs = 1_000;
    private long order;

    long nowMs() {
        return nowMs;
    }

    void after(long delayMs, Runnable action) {
        queue.add(new Scheduled(nowMs + delayMs, order++, action));
    }

    /** Runs the next event unless it lies beyond the end. */
    boolean runNext(long endMs) {
        Scheduled next = queue.peek();
        if (next == null || next.atMs > endMs) {
            return false;
        }
        queue.remove();
        nowMs = next.atMs;
        next.action.run();
        return true;
    }
}
