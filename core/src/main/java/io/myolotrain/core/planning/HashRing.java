package io.myolotrain.core.planning;

import io.myolotrain.core.model.WorkerId;
import java.util.Arrays;
import java.util.List;

/**
 * Workers at points of a circle; a shard looks clockwise from its own point. Consistent hashing with bounded loads
 * (Mirrokni, Thorup, Zadimoghaddam, arXiv 1608.01350): points of workers without room are skipped, and joined to their
 * successors so that they are skipped at no cost the next time.
 */
final class HashRing {
    private static final int POINTS_PER_WORKER = 32; // evens out who is next clockwise
    private static final int INDEX_BITS = 20;
    private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

    /** Hash in the high bits, worker in the low: sorted by place on the circle. */
    private final long[] points;

    private final int[] next;

    @FunctionalInterface
    interface WorkerTest {
        boolean test(int worker);
    }

    HashRing(List<WorkerId> ids) {
        if (ids.size() > INDEX_MASK) {
            throw new IllegalArgumentException(
                    "a ring holds at most " + INDEX_MASK + " workers: workers=" + ids.size());
        }
        points = new long[ids.size() * POINTS_PER_WORKER];
        for (int w = 0; w < ids.size(); w++) {
            long seed = StableHash.of(ids.get(w).value());
            for (int i = 0; i < POINTS_PER_WORKER; i++) {
                points[w * POINTS_PER_WORKER + i] = place(StableHash.of(seed, i)) | w;
            }
        }
        Arrays.sort(points);
        next = new int[points.length + 1];
        for (int p = 0; p <= points.length; p++) {
            next[p] = p;
        }
    }

    /**
     * The next worker clockwise from the hash with room that suits, or {@link OwnerTable#VACANT} after a full circle.
     *
     * @param hasRoom once false for a worker, false for ever
     */
    int clockwise(long hash, WorkerTest hasRoom, WorkerTest suits) {
        int start = Arrays.binarySearch(points, place(hash));
        start = start < 0 ? -start - 1 : start;
        int found = between(start, points.length, hasRoom, suits);
        return found != OwnerTable.VACANT ? found : between(0, start, hasRoom, suits);
    }

    /** Not negative, so that sorting goes round the circle once. */
    private static long place(long hash) {
        return (hash >>> 1) & ~INDEX_MASK;
    }

    private int between(int from, int end, WorkerTest hasRoom, WorkerTest suits) {
        for (int p = withRoom(from, hasRoom); p < end; p = withRoom(p + 1, hasRoom)) {
            int worker = (int) (points[p] & INDEX_MASK);
            if (suits.test(worker)) {
                return worker;
            }
        }
        return OwnerTable.VACANT;
    }

    private int withRoom(int point, WorkerTest hasRoom) {
        int p = point;
        while (p < points.length) {
            if (next[p] == p) {
                if (hasRoom.test((int) (points[p] & INDEX_MASK))) {
                    return p;
                }
                next[p] = p + 1;
            }
            next[p] = next[next[p]];
            p = next[p];
        }
        return p;
    }
}
