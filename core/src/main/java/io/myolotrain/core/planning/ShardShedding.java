package io.myolotrain.core.planning;

import java.util.Arrays;

/** Which shards an overloaded worker gives up: those first that somebody with room can take. */
final class ShardShedding {
    private final OwnerTable table;
    private final OwnerTable.ByWorker owned;
    private final boolean[] receiver;
    private final int receivers;

    /** Vacant slots by shard. */
    private final int[] vacant;

    ShardShedding(OwnerTable table, HashRing.WorkerTest hasRoom) {
        this.table = table;
        this.owned = table.byWorker();
        this.receiver = new boolean[table.workers];
        int count = 0;
        for (int w = 0; w < table.workers; w++) {
            receiver[w] = hasRoom.test(w);
            count += receiver[w] ? 1 : 0;
        }
        receivers = count;
        vacant = new int[table.shards];
        for (int s = 0; s < table.shards; s++) {
            for (int slot = 0; slot < table.replicas; slot++) {
                vacant[s] += table.at(s, slot) == OwnerTable.VACANT ? 1 : 0;
            }
        }
    }

    void from(int worker, int surplus, long workerHash) {
        int[] candidates = inHashOrder(worker, workerHash);
        int left = give(worker, candidates, surplus, 0);
        for (int room = 1; left > 0 && room <= table.replicas; room++) {
            left = give(worker, candidates, left, room);
        }
    }

    private int[] inHashOrder(int worker, long workerHash) {
        int first = owned.first(worker);
        int count = owned.end(worker) - first;
        long[] keys = new long[count];
        for (int i = 0; i < count; i++) {
            // 32 bits of hash above 31 bits of shard: ties cannot change the order between runs.
            int shard = owned.shard(first + i);
            keys[i] = (StableHash.of(workerHash, shard) << 32) | shard;
        }
        Arrays.sort(keys);
        int[] shards = new int[count];
        for (int i = 0; i < count; i++) {
            shards[i] = (int) keys[i];
        }
        return shards;
    }

    /** @param alreadyVacant passes over shards with more vacant slots; the last pass takes what there is */
    private int give(int worker, int[] candidates, int surplus, int alreadyVacant) {
        int left = surplus;
        for (int i = 0; i < candidates.length && left > 0; i++) {
            int shard = candidates[i];
            boolean lastResort = alreadyVacant == table.replicas;
            boolean takers = vacant[shard] <= alreadyVacant && vacant[shard] < receivers - receiversAmongOwners(shard);
            if (table.owns(worker, shard) && (takers || lastResort)) {
                table.replace(shard, worker, OwnerTable.VACANT);
                vacant[shard]++;
                left--;
            }
        }
        return left;
    }

    private int receiversAmongOwners(int shard) {
        int count = 0;
        for (int slot = 0; slot < table.replicas; slot++) {
            int owner = table.at(shard, slot);
            count += owner != OwnerTable.VACANT && receiver[owner] ? 1 : 0;
        }
        return count;
    }
}
