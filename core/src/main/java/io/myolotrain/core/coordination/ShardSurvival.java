package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which shards of a plan still have a living owner. */
final class ShardSurvival {
    private static final int RUNS_SHOWN_MAX = 8;

    private final int shards;
    private final boolean allAlive;
    private final List<Integer> lost;

    private ShardSurvival(int shards, boolean allAlive, List<Integer> lost) {
        this.shards = shards;
        this.allAlive = allAlive;
        this.lost = lost;
    }

    /** @param alive members that are still there */
    static ShardSurvival of(Plan plan, List<WorkerInfo> alive) {
        List<List<WorkerId>> owners = plan.shardMap().owners();
        if (alive.size() == plan.members().size()) {
            return new ShardSurvival(owners.size(), true, List.of());
        }
        Set<WorkerId> ids = new HashSet<>();
        alive.forEach(worker -> ids.add(worker.ref().id()));
        var lost = new ArrayList<Integer>();
        for (int shard = 0; shard < owners.size(); shard++) {
            if (owners.get(shard).stream().noneMatch(ids::contains)) {
                lost.add(shard);
            }
        }
        return new ShardSurvival(owners.size(), false, lost);
    }

    /** Some shard has no living owner: only a checkpoint still has its moments. */
    boolean stateIsLost() {
        return !lost.isEmpty();
    }

    /** For the reason of the plan that follows; empty where no member is missing. */
    String told() {
        if (allAlive) {
            return "";
        }
        return lost.isEmpty()
                ? "; every shard has a living owner"
                : "; " + lost.size() + " of " + shards + " shards have no living owner (" + runs() + ")";
    }

    /** 0-3, 7, 9-12, … */
    private String runs() {
        var text = new StringBuilder();
        int runs = 0;
        for (int i = 0; i < lost.size(); ) {
            int end = i;
            while (end + 1 < lost.size() && lost.get(end + 1) == lost.get(end) + 1) {
                end++;
            }
            if (runs++ == RUNS_SHOWN_MAX) {
                return text + ", …";
            }
            text.append(text.isEmpty() ? "" : ", ").append(lost.get(i));
            if (end > i) {
                text.append("-").append(lost.get(end));
            }
            i = end + 1;
        }
        return text.toString();
    }
}
