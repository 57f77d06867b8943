package io.myolotrain.core.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Owners of the optimizer's shards: {@code owners.get(s)} lists the workers that hold shard {@code s}, primary first.
 * Placement rules live in planning; here is only what a map can say of itself.
 */
public record ShardMap(List<List<WorkerId>> owners) {
    public static final ShardMap EMPTY = new ShardMap(List.of());

    public ShardMap {
        var copy = new ArrayList<List<WorkerId>>(owners.size());
        for (List<WorkerId> of : owners) {
            copy.add(List.copyOf(of));
        }
        owners = List.copyOf(copy);
    }

    public int shards() {
        return owners.size();
    }

    public WorkerId primary(int shard) {
        return owners.get(shard).get(0);
    }

    public boolean owns(WorkerId worker, int shard) {
        return owners.get(shard).contains(worker);
    }
}
