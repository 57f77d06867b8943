package io.myolotrain.worker.comm;

import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.training.ReductionTree;
import java.util.List;

/**
 * A fixed-tree sum prepared for one assignment of leaves to ranks.
 *
 * @param program postfix over slots; slots count the ranks' cover nodes in rank order
 * @param firstSlot per rank its first slot, with the number of all slots at the end
 */
public record TreeReduction(List<ReductionTree.Op> program, List<Integer> firstSlot) {

    public static TreeReduction of(ReductionTree tree, List<MicroBatchRange> blockByRank) {
        var first = new java.util.ArrayList<Integer>();
        int slots = 0;
        for (MicroBatchRange block : blockByRank) {
            first.add(slots);
            slots += tree.cover(block).size();
        }
        first.add(slots);
        return new TreeReduction(tree.program(blockByRank), List.copyOf(first));
    }

    public int slots() {
        return firstSlot.get(firstSlot.size() - 1);
    }

    public int slotsOf(int rank) {
        return firstSlot.get(rank + 1) - firstSlot.get(rank);
    }
}
