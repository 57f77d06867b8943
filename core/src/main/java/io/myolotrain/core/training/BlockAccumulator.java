package io.myolotrain.core.training;

import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.training.ReductionTree.Node;
import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * Sums the gradients of one rank's block of micro-batches along the {@link ReductionTree}. Like a binary counter: each
 * micro-batch is pushed as a leaf, and as long as the two nodes on top are siblings they merge into the left one's buffer.
 * What remains at the end is {@link ReductionTree#cover} of the block.
 *
 * <pre>
 *   block [1, 6) of 8:   1 | 1 2 | 1 (2,3) | 1 (2,3) 4 | 1 (2,3) (4,5)      3 partial sums, 4 buffers at most
 * </pre>
 *
 * Buffers are reused over steps and blocks: at most two per level of the tree, whatever the accumulation. One thread.
 */
public final class BlockAccumulator {
    private final Supplier<FloatBuffer> allocate;
    private final Deque<FloatBuffer> free = new ArrayDeque<>();
    private final List<Partial> stack = new ArrayList<>();
    private ReductionTree tree = new ReductionTree(1);
    private MicroBatchRange block = new MicroBatchRange(0, 1);
    private int next;

    private record Partial(Node node, FloatBuffer sum) {}

    /** @param allocate gives direct buffers of equal size; called only when no buffer is free */
    public BlockAccumulator(Supplier<FloatBuffer> allocate) {
        this.allocate = allocate;
    }

    /** Starts a step: forgets the partial sums of the one before, keeps their buffers. */
    public void begin(ReductionTree tree, MicroBatchRange block) {
        if (block.end() > tree.leaves()) {
            throw new IllegalArgumentException(
                    "block must end within the tree: block=" + block + " leaves=" + tree.leaves());
        }
        for (Partial partial : stack) {
            free.push(partial.sum);
        }
        stack.clear();
        this.tree = tree;
        this.block = block;
        this.next = block.first();
    }

    /** A buffer for the next micro-batch's gradient, to be completely written and then handed to {@link #push}. */
    public FloatBuffer take() {
        return free.isEmpty() ? allocate.get() : free.pop();
    }

    /** Adds the gradient of the block's next micro-batch; the accumulator owns the buffer from here on. */
    public void push(FloatBuffer gradient) {
        if (next >= block.end()) {
            throw new IllegalStateException("the block has all its micro-batches: block=" + block);
        }
        stack.add(new Partial(new Node(next, next + 1), gradient));
        next++;
        while (stack.size() >= 2 && tree.areSiblings(top(1).node, top(0).node)) {
            Partial right = stack.remove(stack.size() - 1);
            Partial left = stack.remove(stack.size() - 1);
            add(left.sum, right.sum);
            free.push(right.sum);
            stack.add(new Partial(new Node(left.node.first(), right.node.end()), left.sum));
        }
    }

    /** Partial sums in the order of the block's cover. Valid until {@link #begin}. */
    public List<FloatBuffer> partials() {
        if (next != block.end()) {
            throw new IllegalStateException("the block is incomplete: block=" + block + " next=" + next);
        }
        return stack.stream().map(Partial::sum).toList();
    }

    private Partial top(int below) {
        return stack.get(stack.size() - 1 - below);
    }

    // Absolute get and put on direct buffers: the form that the JIT turns into vector instructions.
    private static void add(FloatBuffer into, FloatBuffer term) {
        int length = into.limit();
        if (term.limit() != length) {
            throw new IllegalArgumentException("gradients must be of equal length: " + term.limit() + " and " + length);
        }
        for (int i = 0; i < length; i++) {
            into.put(i, into.get(i) + term.get(i));
        }
    }
}
