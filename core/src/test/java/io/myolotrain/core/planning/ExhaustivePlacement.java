package io.myolotrain.core.planning;

import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.WorkerId;
import java.util.List;

/** Tries every placement of a small world: slow and obviously right. */
final class ExhaustivePlacement {
    private final ShardMap before;
    private final int replicas;
    private final List<WorkerId> members;
    private final int[] load;
    private int least = Integer.MAX_VALUE;

    ExhaustivePlacement(ShardMap before, int replicas, List<WorkerId> members) {
        this.before = before;
        this.replicas = replicas;
        this.members = members;
        this.load = new int[members.size()];
    }

    int leastMoves() {
        choose(0, 0, 0, 0);
        return least;
    }

    private void choose(int shard, int from, int chosen, int moves) {
        if (shard == before.shards()) {
            int min = Integer.MAX_VALUE;
            int max = 0;
            for (int l : load) {
                min = Math.min(min, l);
                max = Math.max(max, l);
            }
            least = max - min <= 1 ? Math.min(least, moves) : least;
            return;
        }
        if (chosen == replicas) {
            choose(shard + 1, 0, 0, moves);
            return;
        }
        for (int w = from; w < members.size(); w++) {
            load[w]++;
            choose(shard, w + 1, chosen + 1, moves + (before.owns(members.get(w), shard) ? 0 : 1));
            load[w]--;
        }
    }
}
