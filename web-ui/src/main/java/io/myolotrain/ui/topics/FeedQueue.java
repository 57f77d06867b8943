package io.myolotrain.ui.topics;

import io.myolotrain.ui.port.ClusterFeed.Item;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** From the readers' threads to the one that hands items over. Whoever reads waits while it is full. Thread-safe. */
final class FeedQueue {
    static final int ITEMS_MAX = 8_192;
    private static final long OFFER_TIMEOUT_MS = 100;

    private final BlockingQueue<Item> items = new ArrayBlockingQueue<>(ITEMS_MAX);
    private volatile boolean closed;

    /** Waits for room as long as the feed is open. */
    void put(Item next) {
        try {
            while (!closed) {
                if (items.offer(next, OFFER_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** For what nobody misses when there is no room. */
    void putIfRoom(Item next) {
        boolean unused = items.offer(next);
    }

    /** Waits for the first, then takes what else is there, at most {@code max} in all. */
    void take(List<Item> into, int max) throws InterruptedException {
        into.add(items.take());
        items.drainTo(into, max - 1);
    }

    /** Nobody waits for room any more. */
    void close() {
        closed = true;
    }
}
