package io.myolotrain.core.planning;

import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.training.ParameterLayout.Shard;
import java.util.ArrayList;
import java.util.List;

/**
 * What a placement moves against the one before.
 *
 * @param moves new owners, by shard
 * @param movedBytes moments that the new owners receive
 * @param lowerBoundMoves the least number of moves to any balanced placement on the same workers
 */
public record PlanDiff(List<Move> moves, long movedBytes, long lowerBoundMoves) {
    public static final PlanDiff NOTHING = new PlanDiff(List.of(), 0, 0);

    /**
     * A shard and a worker that owns it from now on.
     *
     * @param before its owners before, primary first
     * @param after its owners after
     */
    public record Move(int shard, WorkerId to, List<WorkerId> before, List<WorkerId> after) {}

    public PlanDiff {
        moves = List.copyOf(moves);
    }

    /** The lower bound at this placement's mean bytes per move: exact where shards are of one size. */
    public long lowerBoundBytes() {
        return moves.isEmpty() ? 0 : Math.round((double) movedBytes * lowerBoundMoves / moves.size());
    }

    /**
     * Against an empty map nothing moves: the members build or load what they own.
     *
     * @param members workers that the placement may use
     */
    public static PlanDiff between(ShardMap before, ShardMap after, List<WorkerId> members, List<Shard> shards) {
        if (before.shards() == 0) {
            return NOTHING;
        }
        var moves = new ArrayList<Move>();
        long bytes = 0;
        for (int s = 0; s < after.shards(); s++) {
            List<WorkerId> was = before.owners().get(s);
            List<WorkerId> is = after.owners().get(s);
            for (WorkerId owner : is) {
                if (!was.contains(owner)) {
                    moves.add(new Move(s, owner, was, is));
                    bytes += shards.get(s).momentBytes();
                }
            }
        }
        return new PlanDiff(moves, bytes, MoveBound.of(before, after, members));
    }
}
