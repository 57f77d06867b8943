package io.myolotrain.core.planning;

import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who owns which shard: consistent hashing with bounded loads, sticky.
 *
 * <p>A shard keeps its owners unless one left or is over its bound {@code ⌈S·r/n⌉}; displaced shards go clockwise to the
 * next worker with room. Owners of one shard are distinct workers, and of distinct hosts where room allows. Loads and
 * primaries differ by at most one between workers, and no balanced placement moves fewer shards. Design, for S shards, n
 * workers, r replicas:
 *
 * <ol>
 *   <li>keep what survives; O(S·r)
 *   <li>who is over the bound gives shards up, in the order of a hash of both, shards first that others can take
 *   <li>vacant slots walk the ring; a slot that finds only owners of its own shard trades with another; O(S·r·log n)
 *   <li>should that have cost a move too many, cycles of cheaper trades undo it; only seen with few shards
 *   <li>owners of a shard that share a host trade places where that moves nothing more
 *   <li>primaries are chosen among the owners by matching, which costs no move
 * </ol>
 */
public final class ShardPlacement {
    private final List<WorkerId> ids;
    private final int[] host;
    private final int hosts;
    private final OwnerTable before;
    private final OwnerTable now;
    private final int floor;
    private int seats; // workers that may still go one above the floor

    private ShardPlacement(ShardMap previous, int shards, int replicas, List<WorkerInfo> members) {
        List<WorkerInfo> sorted =
                members.stream().sorted((a, b) -> a.ref().compareTo(b.ref())).toList();
        ids = sorted.stream().map(w -> w.ref().id()).toList();
        host = hostIndexes(sorted);
        hosts = 1 + Arrays.stream(host).max().orElseThrow();
        before = OwnerTable.of(previous, indexes(ids));
        int owners = Math.min(replicas, ids.size());
        now = new OwnerTable(shards, owners, ids.size());
        floor = Math.toIntExact((long) shards * owners / ids.size());
        seats = Math.toIntExact((long) shards * owners % ids.size());
    }

    /**
     * @param previous the map in force, or {@link ShardMap#EMPTY}; else of the same number of shards
     * @param replicas owners wanted per shard; fewer when there are fewer members
     */
    public static ShardMap place(ShardMap previous, int shards, int replicas, List<WorkerInfo> members) {
        if (shards < 1 || replicas < 1 || members.isEmpty()) {
            throw new IllegalArgumentException("a placement needs shards, replicas and members: shards=" + shards
                    + " replicas=" + replicas + " members=" + members.size());
        }
        if (previous.shards() != 0 && previous.shards() != shards) {
            throw new IllegalArgumentException(
                    "a job's shards do not change their number: before=" + previous.shards() + " now=" + shards);
        }
        var placement = new ShardPlacement(previous, shards, replicas, members);
        placement.keepSurvivors();
        placement.shedSurplus();
        placement.fillVacancies();
        CheaperPlacement.improve(placement.before, placement.now);
        if (placement.hosts > 1) {
            new HostSpread(placement.before, placement.now, placement.host).improve();
        }
        PrimaryChoice.choose(placement.now);
        return placement.now.toMap(placement.ids);
    }

    static Map<WorkerId, Integer> indexes(List<WorkerId> ids) {
        var indexes = new HashMap<WorkerId, Integer>();
        for (int w = 0; w < ids.size(); w++) {
            if (indexes.put(ids.get(w), w) != null) {
                throw new IllegalArgumentException("a worker is a member once: worker=" + ids.get(w));
            }
        }
        return indexes;
    }

    private static int[] hostIndexes(List<WorkerInfo> workers) {
        var known = new HashMap<String, Integer>();
        int[] host = new int[workers.size()];
        for (int w = 0; w < host.length; w++) {
            host[w] = known.computeIfAbsent(workers.get(w).host(), name -> known.size());
        }
        return host;
    }

    private void keepSurvivors() {
        for (int s = 0; s < before.shards; s++) {
            for (int slot = 0; slot < Math.min(before.replicas, now.replicas); slot++) {
                now.put(s, slot, before.at(s, slot));
            }
        }
    }

    /** Leaves every worker at the floor or below, and as many as there are seats one above it. */
    private void shedSurplus() {
        int[] limit = new int[now.workers];
        for (int w = 0; w < now.workers; w++) {
            boolean seated = now.load[w] > floor && seats > 0;
            limit[w] = floor + (seated ? 1 : 0);
            seats -= seated ? 1 : 0;
        }
        var shed = new ShardShedding(now, this::hasRoom);
        for (int w = 0; w < now.workers; w++) {
            if (now.load[w] > limit[w]) {
                shed.from(w, now.load[w] - limit[w], StableHash.of(ids.get(w).value()));
            }
        }
    }

    private boolean hasRoom(int worker) {
        return now.load[worker] < floor || (now.load[worker] == floor && seats > 0);
    }

    private void take(int shard, int slot, int worker) {
        if (now.load[worker] == floor) {
            seats--;
        }
        now.put(shard, slot, worker);
    }

    private void fillVacancies() {
        var ring = new HashRing(ids);
        for (int s = 0; s < now.shards; s++) {
            for (int slot = 0; slot < now.replicas; slot++) {
                if (now.at(s, slot) == OwnerTable.VACANT) {
                    fill(s, slot, ring);
                }
            }
        }
    }

    private void fill(int shard, int slot, HashRing ring) {
        long hash = StableHash.of(slot, shard);
        int worker = hosts == 1
                ? OwnerTable.VACANT
                : ring.clockwise(hash, this::hasRoom, w -> !now.owns(w, shard) && !onHostOfOwner(w, shard));
        if (worker == OwnerTable.VACANT) {
            worker = ring.clockwise(hash, this::hasRoom, w -> !now.owns(w, shard));
        }
        if (worker == OwnerTable.VACANT) {
            trade(shard, slot);
        } else {
            take(shard, slot, worker);
        }
    }

    private boolean onHostOfOwner(int worker, int shard) {
        for (int slot = 0; slot < now.replicas; slot++) {
            int owner = now.at(shard, slot);
            if (owner != OwnerTable.VACANT && host[owner] == host[worker]) {
                return true;
            }
        }
        return false;
    }

    /**
     * Everyone with room owns the shard already. Then there is another shard that one of them does not own, and one of its
     * owners does not own this shard: it comes here, and the one with room takes its place there.
     */
    private void trade(int shard, int slot) {
        int with = 0;
        while (!hasRoom(with)) {
            with++;
        }
        int bestCost = Integer.MAX_VALUE;
        int bestShard = -1;
        int bestOwner = -1;
        for (int t = 0; t < now.shards && bestCost > 1; t++) {
            if (now.owns(with, t)) {
                continue;
            }
            for (int i = 0; i < now.replicas; i++) {
                int owner = now.at(t, i);
                if (owner == OwnerTable.VACANT || now.owns(owner, shard)) {
                    continue;
                }
                int cost = cost(with, t) + cost(owner, shard) - cost(owner, t);
                if (cost < bestCost) {
                    bestCost = cost;
                    bestShard = t;
                    bestOwner = owner;
                }
            }
        }
        if (bestShard < 0) {
            throw new IllegalStateException("a trade always exists: shard=" + shard + " with room=" + ids.get(with));
        }
        if (now.load[with] == floor) {
            seats--;
        }
        now.replace(bestShard, bestOwner, with);
        now.put(shard, slot, bestOwner);
    }

    private int cost(int worker, int shard) {
        return shard < before.shards && before.owns(worker, shard) ? 0 : 1;
    }
}
