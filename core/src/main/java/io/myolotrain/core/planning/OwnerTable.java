package io.myolotrain.core.planning;

import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.WorkerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Owners by index while a placement is being computed: row {@code s} holds the owners of shard {@code s}, primary first.
 *
 * <pre>
 *            slot 0   slot 1            replicas = 2
 *  shard 0      3        1
 *  shard 1      0     VACANT            load[w] counts the slots that w fills
 * </pre>
 */
final class OwnerTable {
    static final int VACANT = -1;

    final int shards;
    final int replicas;
    final int workers;
    final int[] load;
    private final int[] owner;

    OwnerTable(int shards, int replicas, int workers) {
        this.shards = shards;
        this.replicas = replicas;
        this.workers = workers;
        this.load = new int[workers];
        this.owner = new int[Math.multiplyExact(shards, replicas)];
        Arrays.fill(owner, VACANT);
    }

    /** The map's owners that are still there, at the left of each row. */
    static OwnerTable of(ShardMap map, Map<WorkerId, Integer> indexes) {
        int widest = map.owners().stream().mapToInt(List::size).max().orElse(0);
        var table = new OwnerTable(map.shards(), widest, indexes.size());
        for (int s = 0; s < map.shards(); s++) {
            int slot = 0;
            for (WorkerId id : map.owners().get(s)) {
                Integer index = indexes.get(id);
                if (index != null) {
                    table.put(s, slot++, index);
                }
            }
        }
        return table;
    }

    int at(int shard, int slot) {
        return owner[shard * replicas + slot];
    }

    boolean owns(int worker, int shard) {
        int from = shard * replicas;
        for (int i = from; i < from + replicas; i++) {
            if (owner[i] == worker) {
                return true;
            }
        }
        return false;
    }

    /** Whoever was in the slot leaves it. */
    void put(int shard, int slot, int worker) {
        int i = shard * replicas + slot;
        if (owner[i] != VACANT) {
            load[owner[i]]--;
        }
        owner[i] = worker;
        if (worker != VACANT) {
            load[worker]++;
        }
    }

    void replace(int shard, int from, int to) {
        for (int slot = 0; slot < replicas; slot++) {
            if (at(shard, slot) == from) {
                put(shard, slot, to);
                return;
            }
        }
        throw new IllegalStateException("only an owner can be replaced: shard=" + shard + " worker=" + from);
    }

    /** Exchanges two slots of a row; loads stay. */
    void swap(int shard, int slotA, int slotB) {
        int a = shard * replicas + slotA;
        int b = shard * replicas + slotB;
        int kept = owner[a];
        owner[a] = owner[b];
        owner[b] = kept;
    }

    /** Slots whose worker does not own the shard in {@code before}: what has to move. */
    int movesFrom(OwnerTable before) {
        int moves = 0;
        for (int s = 0; s < shards; s++) {
            for (int slot = 0; slot < replicas; slot++) {
                int w = at(s, slot);
                if (w != VACANT && !(s < before.shards && before.owns(w, s))) {
                    moves++;
                }
            }
        }
        return moves;
    }

    /** Shards by worker, ascending: those of worker {@code w} stand at places {@code first(w)} to {@code end(w) - 1}. */
    static final class ByWorker {
        private final int[] first;
        private final int[] shard;

        private ByWorker(int[] first, int[] shard) {
            this.first = first;
            this.shard = shard;
        }

        int first(int worker) {
            return first[worker];
        }

        int end(int worker) {
            return first[worker + 1];
        }

        int shard(int place) {
            return shard[place];
        }
    }

    ByWorker byWorker() {
        var first = new int[workers + 1];
        for (int w = 0; w < workers; w++) {
            first[w + 1] = first[w] + load[w];
        }
        var next = Arrays.copyOf(first, workers);
        var shard = new int[first[workers]];
        for (int s = 0; s < shards; s++) {
            for (int slot = 0; slot < replicas; slot++) {
                int w = at(s, slot);
                if (w != VACANT) {
                    shard[next[w]++] = s;
                }
            }
        }
        return new ByWorker(first, shard);
    }

    ShardMap toMap(List<WorkerId> ids) {
        var owners = new ArrayList<List<WorkerId>>(shards);
        for (int s = 0; s < shards; s++) {
            var row = new WorkerId[replicas];
            for (int slot = 0; slot < replicas; slot++) {
                row[slot] = ids.get(at(s, slot));
            }
            owners.add(List.of(row));
        }
        return new ShardMap(owners);
    }
}
