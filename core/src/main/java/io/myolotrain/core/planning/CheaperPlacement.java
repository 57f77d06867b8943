package io.myolotrain.core.planning;

import java.util.Arrays;

/**
 * Finds balanced placements that move fewer shards. A placement is a flow from shards to workers, so it moves as few as
 * any exactly when its residual graph has no negative cycle (Klein 1967): an arc {@code x → y} hands one shard of
 * {@code x} to {@code y}; node {@code n} stands for the freedom between floor and ceiling of the loads.
 */
final class CheaperPlacement {
    /** Slots × workers up to which the graph is built; beyond, greedy placement has always met the simple bound. */
    private static final long WORK_MAX = 1L << 23;

    private static final int WORKERS_MAX = 256; // Bellman-Ford is cubic in the workers

    private final OwnerTable before;
    private final OwnerTable now;
    private final int nodes;
    private final int[][] cost;
    private final int[][] shard;
    private static final int NO_ARC = 1_000;

    private CheaperPlacement(OwnerTable before, OwnerTable now) {
        this.before = before;
        this.now = now;
        this.nodes = now.workers + 1;
        this.cost = new int[nodes][nodes];
        this.shard = new int[nodes][nodes];
        build();
    }

    /** Trades until no cheaper placement exists. */
    static void improve(OwnerTable before, OwnerTable now) {
        if (before.shards == 0 || !decidable(now)) {
            return;
        }
        int excess = now.movesFrom(before) - MoveBound.simple(before, now.replicas);
        for (int i = 0; i < excess; i++) {
            if (!new CheaperPlacement(before, now).tradeOneCycle()) {
                return;
            }
        }
    }

    /** No balanced placement moves fewer shards than this one. */
    static boolean isOptimal(OwnerTable before, OwnerTable now) {
        return new CheaperPlacement(before, now).negativeCycle().length == 0;
    }

    static boolean decidable(OwnerTable now) {
        return now.workers <= WORKERS_MAX && (long) now.shards * now.replicas * now.workers <= WORK_MAX;
    }

    private void build() {
        for (int[] row : cost) {
            Arrays.fill(row, NO_ARC);
        }
        for (int s = 0; s < now.shards; s++) {
            for (int slot = 0; slot < now.replicas; slot++) {
                int from = now.at(s, slot);
                int saved = before.owns(from, s) ? 0 : 1;
                for (int to = 0; to < now.workers; to++) {
                    int price = (before.owns(to, s) ? 0 : 1) - saved;
                    if (price < cost[from][to] && !now.owns(to, s)) {
                        cost[from][to] = price;
                        shard[from][to] = s;
                    }
                }
            }
        }
        int floor = Math.toIntExact((long) now.shards * now.replicas / now.workers);
        boolean even = (long) floor * now.workers == (long) now.shards * now.replicas;
        int hub = now.workers;
        for (int w = 0; w < now.workers && !even; w++) {
            if (now.load[w] > floor) {
                cost[hub][w] = 0;
            } else {
                cost[w][hub] = 0;
            }
        }
    }

    private boolean tradeOneCycle() {
        int[] cycle = negativeCycle();
        for (int i = 0; i < cycle.length; i++) {
            int from = cycle[i];
            int to = cycle[(i + 1) % cycle.length];
            if (from < now.workers && to < now.workers) {
                now.replace(shard[from][to], from, to);
            }
        }
        return cycle.length > 0;
    }

    /** Bellman-Ford from everywhere at once; nodes in the order of the arcs, empty when there is none. */
    private int[] negativeCycle() {
        int[] distance = new int[nodes];
        int[] parent = new int[nodes];
        Arrays.fill(parent, -1);
        int touched = -1;
        for (int round = 0; round < nodes; round++) {
            touched = -1;
            for (int u = 0; u < nodes; u++) {
                for (int v = 0; v < nodes; v++) {
                    if (cost[u][v] != NO_ARC && distance[u] + cost[u][v] < distance[v]) {
                        distance[v] = distance[u] + cost[u][v];
                        parent[v] = u;
                        touched = v;
                    }
                }
            }
            if (touched < 0) {
                return new int[0];
            }
        }
        return cycleThrough(touched, parent);
    }

    private int[] cycleThrough(int touched, int[] parent) {
        int node = touched;
        for (int i = 0; i < nodes; i++) {
            node = parent[node];
        }
        int[] backwards = new int[nodes];
        int length = 0;
        int at = node;
        do {
            backwards[length++] = at;
            at = parent[at];
        } while (at != node);
        int[] cycle = new int[length];
        for (int i = 0; i < length; i++) {
            cycle[i] = backwards[length - 1 - i];
        }
        return cycle;
    }
}
