package io.myolotrain.core.planning;

import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.WorkerId;
import java.util.List;

/**
 * The least number of moves from one placement to any balanced one on the given workers.
 *
 * <p>Simple bound: {@code S·r} slots, of which a worker can keep at most what it has and at most its share: the floor
 * {@code q = ⌊S·r/n⌋}, one more for {@code S·r mod n} of them. Where few shards make it unreachable (their other owners are
 * the very workers with room), the true bound is a minimum-cost flow, which {@link CheaperPlacement} certifies.
 */
final class MoveBound {
    private MoveBound() {}

    static long of(ShardMap before, ShardMap after, List<WorkerId> members) {
        var indexes = ShardPlacement.indexes(members);
        OwnerTable old = OwnerTable.of(before, indexes);
        OwnerTable now = OwnerTable.of(after, indexes);
        long simple = simple(old, now.replicas);
        long moves = now.movesFrom(old);
        boolean tight = moves > simple && CheaperPlacement.decidable(now) && CheaperPlacement.isOptimal(old, now);
        return tight ? moves : simple;
    }

    /** @param before only with workers that are still there */
    static int simple(OwnerTable before, int replicas) {
        int slots = before.shards * replicas;
        int share = slots / before.workers;
        int seats = slots % before.workers;
        int kept = 0;
        for (int load : before.load) {
            kept += Math.min(load, share);
            if (load > share && seats > 0) {
                kept++;
                seats--;
            }
        }
        return slots - kept;
    }
}
