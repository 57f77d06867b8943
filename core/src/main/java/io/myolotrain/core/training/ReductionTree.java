package io.myolotrain.core.training;

import io.myolotrain.core.model.MicroBatchRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fixed binary tree over logical indices (micro-batches, slices, shards) that every floating-point sum follows.
 * Addition of floats is not associative; because the tree depends on the number of leaves alone, the sum has the same bits
 * wherever the leaves are computed.
 *
 * <pre>
 *  level 2   (2,0)=[0,4)                      node (k,i) covers leaves [i·2^k, min((i+1)·2^k, leaves))
 *           /          \
 *  level 1 (1,0)       (1,1)=[2,3)            a node whose right half lies past the end is its left child
 *         /    \         |
 *  level 0 0    1        2
 * </pre>
 */
public record ReductionTree(int leaves) {
    /** Bound on nodes of a cover: two per level. */
    public static final int LEAVES_MAX = 1 << 24;

    public ReductionTree {
        if (leaves < 1 || leaves > LEAVES_MAX) {
            throw new IllegalArgumentException("a tree has 1 to " + LEAVES_MAX + " leaves: leaves=" + leaves);
        }
    }

    /** A node by the leaves {@code [first, end)} that it sums; in a tree of given leaves the range names one node. */
    public record Node(int first, int end) {}

    /** One step of a sum in postfix order: push a partial sum, or add the two on top (deeper one on the left). */
    public record Op(int slot) {
        private static final int ADD_MARK = -1;
        public static final Op ADD = new Op(ADD_MARK);

        public boolean isAdd() {
            return slot == ADD_MARK;
        }
    }

    public Node root() {
        return new Node(0, leaves);
    }

    /** The fewest nodes that together cover the block, left to right: at most two per level. */
    public List<Node> cover(MicroBatchRange block) {
        if (block.end() > leaves) {
            throw new IllegalArgumentException("block must end within the tree: block=" + block + " leaves=" + leaves);
        }
        var nodes = new ArrayList<Node>();
        int from = block.first();
        while (from < block.end()) {
            int width = 1;
            while (from % (2L * width) == 0
                    && from + width < leaves
                    && Math.min(from + 2L * width, leaves) <= block.end()) {
                width *= 2;
            }
            int end = (int) Math.min((long) from + width, leaves);
            nodes.add(new Node(from, end));
            from = end;
        }
        return List.copyOf(nodes);
    }

    /** The parent of two neighbouring partial sums when both are complete children of it. */
    public boolean areSiblings(Node left, Node right) {
        if (left.end() != right.first()) {
            return false;
        }
        long width = Integer.highestOneBit(Math.max(1, left.end() - left.first()));
        return width == left.end() - left.first()
                && left.first() % (2 * width) == 0
                && right.end() == Math.min(left.first() + 2 * width, leaves);
    }

    /**
     * The sum over all leaves in postfix order, when partial sums stand in slots: slot numbers count the nodes of
     * {@link #cover} of each block in turn.
     *
     * @param blocks disjoint blocks that cover all leaves, ascending
     */
    public List<Op> program(List<MicroBatchRange> blocks) {
        Map<Node, Integer> slots = new LinkedHashMap<>();
        int expected = 0;
        for (MicroBatchRange block : blocks) {
            if (block.first() != expected) {
                throw new IllegalArgumentException("blocks must cover all leaves in order: blocks=" + blocks);
            }
            for (Node node : cover(block)) {
                slots.put(node, slots.size());
            }
            expected = block.end();
        }
        if (expected != leaves) {
            throw new IllegalArgumentException("blocks must cover all leaves: blocks=" + blocks + " leaves=" + leaves);
        }
        var ops = new ArrayList<Op>();
        emit(root(), slots, ops);
        return List.copyOf(ops);
    }

    private void emit(Node node, Map<Node, Integer> slots, List<Op> ops) {
        Integer slot = slots.get(node);
        if (slot != null) {
            ops.add(new Op(slot));
            return;
        }
        int middle = node.first() + leftLeaves(node.end() - node.first());
        emit(new Node(node.first(), middle), slots, ops);
        emit(new Node(middle, node.end()), slots, ops);
        ops.add(Op.ADD);
    }

    /** Leaves under the left child of a node with {@code count >= 2} leaves: the largest power of two below count. */
    public static int leftLeaves(int count) {
        return Integer.highestOneBit(count - 1);
    }
}
