package io.myolotrain.worker.comm;

import io.myolotrain.core.training.ReductionTree;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * Evaluates a reduction's postfix program over buffers, block by block: the whole stack of a block stays in the cache. The
 * order of the additions per element is the program's, whatever the blocks, so every rank gets the same bits. Not
 * thread-safe.
 */
final class TreeSum {
    /** 16 KiB, half of an L1 data cache: the top of the stack and what is added to it. */
    static final int BLOCK_FLOATS = 4_096;

    private float[][] stack = new float[0][];

    /**
     * Sums elements {@code [from, to)} of all slots.
     *
     * @param slots per slot the buffer that holds it
     * @param slotStarts per slot the index of its element 0
     * @param targetStart index of element 0 in {@code target}
     */
    void evaluate(
            List<ReductionTree.Op> program,
            FloatBuffer[] slots,
            int[] slotStarts,
            int from,
            int to,
            FloatBuffer target,
            int targetStart) {
        for (int at = from; at < to; at += BLOCK_FLOATS) {
            int length = Math.min(BLOCK_FLOATS, to - at);
            int depth = 0;
            for (ReductionTree.Op op : program) {
                if (op.isAdd()) {
                    depth--;
                    add(stack[depth - 1], stack[depth], length);
                } else {
                    slots[op.slot()].get(slotStarts[op.slot()] + at, level(depth++), 0, length);
                }
            }
            if (depth != 1) {
                throw new IllegalArgumentException(
                        "a program must leave one sum: left=" + depth + " program=" + program);
            }
            target.put(targetStart + at, stack[0], 0, length);
        }
    }

    /** A tree of n leaves needs log2(n) + 1 levels. */
    private float[] level(int depth) {
        if (depth == stack.length) {
            stack = java.util.Arrays.copyOf(stack, depth + 1);
            stack[depth] = new float[BLOCK_FLOATS];
        }
        return stack[depth];
    }

    private static void add(float[] left, float[] right, int length) {
        for (int i = 0; i < length; i++) { // vectorised by C2, at the speed of a copy
            left[i] += right[i];
        }
    }
}
