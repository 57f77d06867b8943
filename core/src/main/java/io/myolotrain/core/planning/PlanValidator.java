package io.myolotrain.core.planning;

import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What every plan must be, whoever made it. Shares no code with the planner: a violation is a bug of one of the two. */
public final class PlanValidator {
    private PlanValidator() {}

    /**
     * @param shards number of the model's shards
     * @return violated rules with their values, empty when the plan is sound
     */
    public static List<String> violations(Plan plan, PlanDiff diff, int shards) {
        var found = new ArrayList<String>();
        ranks(plan, found);
        microBatches(plan, found);
        placement(plan, shards, found);
        if (diff.moves().size() != diff.lowerBoundMoves()) {
            found.add("a placement moves as few shards as any balanced one: moved="
                    + diff.moves().size() + " lower bound=" + diff.lowerBoundMoves());
        }
        return found;
    }

    private static void ranks(Plan plan, List<String> found) {
        int world = plan.members().size();
        if (plan.mesh().worldSize() != world) {
            found.add("dp × tp × pp must equal the worker count: dp="
                    + plan.mesh().dp() + " tp=" + plan.mesh().tp() + " pp="
                    + plan.mesh().pp() + " workers=" + world);
        }
        var involved = new TreeSet<WorkerId>();
        for (int rank = 0; rank < world; rank++) {
            Member member = plan.members().get(rank);
            if (member.rank().value() != rank) {
                found.add("members stand by rank without gaps: position=" + rank + " rank=" + member.rank());
            }
            addOnce(member.worker().ref(), involved, found);
        }
        for (WorkerInfo departing : plan.departing()) {
            addOnce(departing.ref(), involved, found);
        }
        if (plan.group().isAfter(plan.generation())) {
            found.add("a group is not newer than its plan: group=" + plan.group() + " generation=" + plan.generation());
        }
    }

    private static void addOnce(WorkerRef ref, Set<WorkerId> involved, List<String> found) {
        if (!involved.add(ref.id())) {
            found.add("a worker has one part in a plan: worker=" + ref);
        }
    }

    /** Data parallelism: each micro-batch on exactly one rank. */
    private static void microBatches(Plan plan, List<String> found) {
        int expected = 0;
        int min = Integer.MAX_VALUE;
        int max = 0;
        for (Member member : plan.members()) {
            MicroBatchRange block = member.microBatches();
            if (block.first() != expected) {
                found.add("each micro-batch runs on exactly one rank: rank=" + member.rank() + " block=" + block
                        + " expected first=" + expected);
            }
            expected = block.end();
            min = Math.min(min, block.count());
            max = Math.max(max, block.count());
        }
        if (expected != plan.microBatches()
                || plan.config().globalBatch() % plan.spec().microBatch() != 0) {
            found.add("blocks cover the global batch: covered=" + expected + " micro-batches=" + plan.microBatches());
        }
        if (max - min > 1) {
            found.add("block sizes differ by at most 1: smallest=" + min + " largest=" + max);
        }
    }

    private static void placement(Plan plan, int shards, List<String> found) {
        ShardMap map = plan.shardMap();
        int replicas = Math.min(plan.spec().replicas(), plan.members().size());
        if (map.shards() != shards) {
            found.add("every shard has owners: shards=" + shards + " placed=" + map.shards());
            return;
        }
        Map<WorkerId, Integer> owned = new HashMap<>();
        Map<WorkerId, Integer> primaries = new HashMap<>();
        plan.members().forEach(m -> {
            owned.put(m.worker().ref().id(), 0);
            primaries.put(m.worker().ref().id(), 0);
        });
        for (int s = 0; s < shards; s++) {
            List<WorkerId> owners = map.owners().get(s);
            boolean sound = owners.size() == replicas
                    && owners.stream().distinct().count() == replicas
                    && owned.keySet().containsAll(owners);
            if (!sound) {
                found.add("a shard has exactly min(r, n) distinct owners among the members: shard=" + s + " owners="
                        + owners + " owners wanted=" + replicas);
                return;
            }
            owners.forEach(owner -> owned.merge(owner, 1, Integer::sum));
            primaries.merge(owners.get(0), 1, Integer::sum);
        }
        balanced("shards owned", owned, found);
        balanced("shards owned as primary", primaries, found);
    }

    private static void balanced(String what, Map<WorkerId, Integer> counts, List<String> found) {
        int min = counts.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        int max = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        if (max - min > 1) {
            found.add(what + " differ by at most 1: fewest=" + min + " most=" + max);
        }
    }
}
