package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.training.ReductionTree;
import io.myolotrain.worker.comm.Communicator;
import io.myolotrain.worker.comm.Communicator.FloatRange;
import io.myolotrain.worker.comm.TreeReduction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * A plan as one of its ranks lives it: the communicator among the members and what follows from the plan for every step.
 *
 * @param transition the connections that {@code members} runs over; closed when the group ends
 */
record World(
        Plan plan,
        Plan.Member me,
        Communicator transition,
        Communicator members,
        TreeReduction reduction,
        List<List<FloatRange>> primaryRanges) {

    static World of(Plan plan, Plan.Member me, JobSession session, Communicator transition, Communicator members) {
        List<MicroBatchRange> blocks =
                plan.members().stream().map(Plan.Member::microBatches).toList();
        var tree = new ReductionTree(plan.microBatches());
        return new World(plan, me, transition, members, TreeReduction.of(tree, blocks), primaryRanges(plan, session));
    }

    private static List<List<FloatRange>> primaryRanges(Plan plan, JobSession session) {
        var ranges = new ArrayList<List<FloatRange>>();
        plan.members().forEach(member -> ranges.add(new ArrayList<>()));
        SortedMap<WorkerId, Rank> ranks = plan.ranks();
        for (var shard : session.trainer().layout().shards()) {
            Rank primary = Objects.requireNonNull(ranks.get(plan.shardMap().primary(shard.index())));
            ranges.get(primary.value()).add(new FloatRange(shard.offset(), shard.length()));
        }
        return ranges;
    }

    Generation generation() {
        return plan.generation();
    }
}
