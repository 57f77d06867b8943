package io.myolotrain.core.planning;

import java.util.Arrays;

/**
 * Chooses each shard's primary among its owners so that workers have equally many, give or take one. That is always
 * possible when loads differ by at most one: giving each owner {@code 1/r} of the shard is a fractional solution, and flows
 * have integral ones. Matching by phases of shortest augmenting paths (Hopcroft and Karp 1973), first up to the floor for
 * everyone, then up to the ceiling; O(S·r·√S), in practice a few passes.
 */
final class PrimaryChoice {
    private static final int NONE = -1;

    private final OwnerTable table;
    private final OwnerTable.ByWorker owned;
    private final int[] primary;
    private final int[] count;
    private final int[] level;
    private final int[] cursor;
    private int capacity;

    private PrimaryChoice(OwnerTable table) {
        this.table = table;
        this.owned = table.byWorker();
        this.primary = new int[table.shards];
        this.count = new int[table.workers];
        this.level = new int[table.workers];
        this.cursor = new int[table.workers];
        Arrays.fill(primary, NONE);
    }

    /** Moves the primary of each row into slot 0. */
    static void choose(OwnerTable table) {
        var choice = new PrimaryChoice(table);
        int floor = table.shards / table.workers;
        choice.fillTo(floor);
        choice.fillTo(floor + 1);
        for (int s = 0; s < table.shards; s++) {
            int slot = 0;
            while (table.at(s, slot) != choice.primary[s]) {
                slot++;
            }
            table.swap(s, 0, slot);
        }
    }

    private void fillTo(int bound) {
        capacity = bound;
        for (int s = 0; s < table.shards; s++) {
            takeFirstWithRoom(s);
        }
        while (markLevels()) {
            for (int w = 0; w < table.workers; w++) {
                cursor[w] = owned.first(w);
            }
            for (int s = 0; s < table.shards; s++) {
                if (primary[s] == NONE) {
                    augment(s);
                }
            }
        }
    }

    /** The primary so far stands in slot 0 and goes first. */
    private void takeFirstWithRoom(int shard) {
        for (int slot = 0; slot < table.replicas && primary[shard] == NONE; slot++) {
            int w = table.at(shard, slot);
            if (count[w] < capacity) {
                primary[shard] = w;
                count[w]++;
            }
        }
    }

    /** Distance of each worker from the shards without a primary, up to the first level with room. */
    private boolean markLevels() {
        Arrays.fill(level, NONE);
        int[] queue = new int[table.workers];
        int tail = 0;
        for (int s = 0; s < table.shards; s++) {
            for (int slot = 0; slot < table.replicas && primary[s] == NONE; slot++) {
                int w = table.at(s, slot);
                if (level[w] == NONE) {
                    level[w] = 0;
                    queue[tail++] = w;
                }
            }
        }
        boolean room = false;
        for (int head = 0; head < tail; head++) {
            int w = queue[head];
            if (count[w] < capacity) {
                room = true;
                continue;
            }
            for (int i = owned.first(w); i < owned.end(w) && !room; i++) {
                int s = owned.shard(i);
                for (int slot = 0; slot < table.replicas && primary[s] == w; slot++) {
                    int other = table.at(s, slot);
                    if (level[other] == NONE) {
                        level[other] = level[w] + 1;
                        queue[tail++] = other;
                    }
                }
            }
        }
        return room;
    }

    private void augment(int shard) {
        for (int slot = 0; slot < table.replicas; slot++) {
            int w = table.at(shard, slot);
            if (level[w] == 0 && makeRoom(w)) {
                primary[shard] = w;
                return;
            }
        }
    }

    /** Takes one more shard for the worker, which may hand another one on along the levels. */
    private boolean makeRoom(int worker) {
        if (count[worker] < capacity) {
            count[worker]++;
            return true;
        }
        for (; cursor[worker] < owned.end(worker); cursor[worker]++) {
            int s = owned.shard(cursor[worker]);
            for (int slot = 0; slot < table.replicas && primary[s] == worker; slot++) {
                int other = table.at(s, slot);
                if (level[other] == level[worker] + 1 && makeRoom(other)) {
                    primary[s] = other;
                    return true;
                }
            }
        }
        return false;
    }
}
