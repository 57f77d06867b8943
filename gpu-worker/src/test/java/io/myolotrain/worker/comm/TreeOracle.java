package io.myolotrain.worker.comm;

import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.training.ReductionTree;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One sum over leaves of random values: evaluated here element by element, straight from the tree's definition. */
final class TreeOracle {
    final ReductionTree tree;
    final List<MicroBatchRange> blocks;
    final TreeReduction reduction;
    private final float[][] leaves;

    TreeOracle(Random random, int ranks, int floats) {
        int leafCount = ranks + random.nextInt(2 * ranks + 3);
        tree = new ReductionTree(leafCount);
        blocks = partition(random, leafCount, ranks);
        reduction = TreeReduction.of(tree, blocks);
        leaves = new float[leafCount][floats];
        for (float[] leaf : leaves) {
            for (int i = 0; i < floats; i++) {
                leaf[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(9) - 4)); // order matters
            }
        }
    }

    private static List<MicroBatchRange> partition(Random random, int leaves, int ranks) {
        var blocks = new ArrayList<MicroBatchRange>();
        int first = 0;
        for (int rank = 0; rank < ranks; rank++) {
            int spare = leaves - first - (ranks - rank);
            int count = rank == ranks - 1 ? leaves - first : 1 + random.nextInt(spare + 1);
            blocks.add(new MicroBatchRange(first, count));
            first += count;
        }
        return blocks;
    }

    int floats() {
        return leaves[0].length;
    }

    List<FloatBuffer> partials(int rank) {
        return tree.cover(blocks.get(rank)).stream()
                .map(node -> direct(sum(node.first(), node.end())))
                .toList();
    }

    float[] expected() {
        return sum(0, leaves.length);
    }

    private float[] sum(int first, int end) {
        if (end - first == 1) {
            return leaves[first].clone();
        }
        int half = Integer.highestOneBit(end - first - 1);
        float[] left = sum(first, first + half);
        float[] right = sum(first + half, end);
        for (int i = 0; i < left.length; i++) {
            left[i] += right[i];
        }
        return left;
    }

    static FloatBuffer direct(float[] values) {
        FloatBuffer buffer = direct(values.length);
        buffer.put(0, values);
        return buffer;
    }

    static FloatBuffer direct(int floats) {
        return bytes(floats * Float.BYTES).asFloatBuffer();
    }

    static ByteBuffer bytes(int count) {
        return ByteBuffer.allocateDirect(count).order(ByteOrder.nativeOrder());
    }

    static float[] array(FloatBuffer buffer) {
        float[] values = new float[buffer.remaining()];
        buffer.get(buffer.position(), values);
        return values;
    }
}
