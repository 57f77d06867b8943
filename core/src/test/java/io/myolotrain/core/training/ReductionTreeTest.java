package io.myolotrain.core.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.training.ReductionTree.Node;
import io.myolotrain.core.training.ReductionTree.Op;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReductionTreeTest {
    private static final long SEED = 20_260_401;

    @Test
    void everyPartitionIntoBlocksSumsToTheSameBits() {
        var random = new Random(SEED);
        for (int trial = 0; trial < 2_000; trial++) {
            int leaves = 1 + random.nextInt(trial % 10 == 0 ? 700 : 40);
            var tree = new ReductionTree(leaves);
            float[] values = values(random, leaves);
            float expected = recursiveSum(values, 0, leaves);
            List<MicroBatchRange> blocks = partition(random, leaves);
            assertThat(Float.floatToRawIntBits(evaluate(tree, blocks, values)))
                    .as("seed %d trial %d leaves %d blocks %s", SEED, trial, leaves, blocks)
                    .isEqualTo(Float.floatToRawIntBits(expected));
        }
    }

    @Test
    void theOrderMattersSoThatTheTestAboveCouldFail() {
        var random = new Random(SEED);
        int different = 0;
        for (int trial = 0; trial < 100; trial++) {
            float[] values = values(random, 37);
            float leftToRight = 0;
            for (float value : values) {
                leftToRight += value;
            }
            different += leftToRight == recursiveSum(values, 0, 37) ? 0 : 1;
        }
        assertThat(different).isGreaterThan(20);
    }

    @Test
    void aCoverTilesItsBlockWithAtMostTwoNodesPerLevel() {
        var random = new Random(SEED);
        for (int trial = 0; trial < 2_000; trial++) {
            int leaves = 1 + random.nextInt(1_000);
            int first = random.nextInt(leaves);
            var block = new MicroBatchRange(first, 1 + random.nextInt(leaves - first));
            List<Node> cover = new ReductionTree(leaves).cover(block);
            int at = block.first();
            for (Node node : cover) {
                assertThat(node.first()).isEqualTo(at);
                assertThat(node.end()).isGreaterThan(at);
                at = node.end();
            }
            assertThat(at).isEqualTo(block.end());
            int levels = Integer.SIZE - Integer.numberOfLeadingZeros(leaves);
            assertThat(cover).as("leaves %d block %s", leaves, block).hasSizeLessThanOrEqualTo(2 * levels);
        }
    }

    @Test
    void aCoverHoldsNoSiblingsSoItCannotBeSmaller() {
        for (int leaves = 1; leaves <= 40; leaves++) {
            var tree = new ReductionTree(leaves);
            for (int first = 0; first < leaves; first++) {
                for (int count = 1; first + count <= leaves; count++) {
                    List<Node> cover = tree.cover(new MicroBatchRange(first, count));
                    for (int i = 1; i < cover.size(); i++) {
                        assertThat(tree.areSiblings(cover.get(i - 1), cover.get(i)))
                                .as("leaves %d cover %s", leaves, cover)
                                .isFalse();
                    }
                }
            }
        }
    }

    @Test
    void siblingsAreExactlyTheTwoChildrenOfANode() {
        for (int leaves = 1; leaves <= 24; leaves++) {
            var tree = new ReductionTree(leaves);
            var nodes = new ArrayList<Node>();
            var pairs = new ArrayList<List<Node>>();
            collect(new Node(0, leaves), nodes, pairs);
            for (Node left : nodes) {
                for (Node right : nodes) {
                    assertThat(tree.areSiblings(left, right))
                            .as("leaves %d %s %s", leaves, left, right)
                            .isEqualTo(pairs.contains(List.of(left, right)));
                }
            }
        }
    }

    @Test
    void theAccumulatorLeavesTheCoversSumsInFewReusedBuffers() {
        var random = new Random(SEED);
        var allocated = new AtomicInteger();
        var accumulator = new BlockAccumulator(() -> {
            allocated.incrementAndGet();
            return direct(3);
        });
        int deepest = 0;
        for (int trial = 0; trial < 500; trial++) {
            int leaves = 1 + random.nextInt(200);
            var tree = new ReductionTree(leaves);
            float[] values = values(random, leaves);
            int first = random.nextInt(leaves);
            var block = new MicroBatchRange(first, 1 + random.nextInt(leaves - first));
            accumulator.begin(tree, block);
            for (int leaf = block.first(); leaf < block.end(); leaf++) {
                FloatBuffer gradient = accumulator.take();
                for (int i = 0; i < 3; i++) {
                    gradient.put(i, values[leaf] * (i + 1));
                }
                accumulator.push(gradient);
            }
            List<Node> cover = tree.cover(block);
            List<FloatBuffer> partials = accumulator.partials();
            assertThat(partials).as("leaves %d block %s", leaves, block).hasSameSizeAs(cover);
            for (int i = 0; i < cover.size(); i++) {
                Node node = cover.get(i);
                assertThat(partials.get(i).get(0)).isEqualTo(recursiveSum(values, node.first(), node.end()));
            }
            deepest = Math.max(deepest, Integer.SIZE - Integer.numberOfLeadingZeros(leaves));
        }
        assertThat(allocated.get()).isLessThanOrEqualTo(2 * deepest);
    }

    @Test
    void anIncompleteBlockGivesNoPartials() {
        var accumulator = new BlockAccumulator(() -> direct(1));
        accumulator.begin(new ReductionTree(4), new MicroBatchRange(0, 2));
        accumulator.push(accumulator.take());
        assertThatThrownBy(accumulator::partials)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("incomplete");
        accumulator.push(accumulator.take());
        assertThatThrownBy(() -> accumulator.push(accumulator.take())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void blocksWithAGapAreRefused() {
        var tree = new ReductionTree(4);
        assertThatThrownBy(() -> tree.program(List.of(new MicroBatchRange(0, 1), new MicroBatchRange(2, 2))))
                .hasMessageContaining("cover all leaves in order");
        assertThatThrownBy(() -> tree.program(List.of(new MicroBatchRange(0, 3))))
                .hasMessageContaining("cover all leaves");
    }

    @Test
    void doublesSumInTheSameTree() {
        var random = new Random(SEED);
        for (int count = 1; count < 100; count++) {
            double[] terms = random.doubles(count).toArray();
            assertThat(TreeSum.of(terms)).isEqualTo(recursiveSum(terms, 0, count));
        }
        assertThat(TreeSum.of(new double[0])).isZero();
    }

    private static float evaluate(ReductionTree tree, List<MicroBatchRange> blocks, float[] values) {
        var slots = new ArrayList<Float>();
        for (MicroBatchRange block : blocks) {
            for (Node node : tree.cover(block)) {
                slots.add(recursiveSum(values, node.first(), node.end()));
            }
        }
        Deque<Float> stack = new ArrayDeque<>();
        for (Op op : tree.program(blocks)) {
            if (op.isAdd()) {
                float right = stack.pop();
                stack.push(stack.pop() + right);
            } else {
                stack.push(slots.get(op.slot()));
            }
        }
        assertThat(stack).hasSize(1);
        return stack.pop();
    }

    /** The tree by its definition: a node splits at the largest power of two below its size. */
    private static float recursiveSum(float[] values, int first, int end) {
        if (end - first == 1) {
            return values[first];
        }
        int half = 1;
        while (half * 2 < end - first) {
            half *= 2;
        }
        return recursiveSum(values, first, first + half) + recursiveSum(values, first + half, end);
    }

    private static double recursiveSum(double[] values, int first, int end) {
        if (end - first == 1) {
            return values[first];
        }
        int half = 1;
        while (half * 2 < end - first) {
            half *= 2;
        }
        return recursiveSum(values, first, first + half) + recursiveSum(values, first + half, end);
    }

    private static void collect(Node node, List<Node> nodes, List<List<Node>> pairs) {
        nodes.add(node);
        int count = node.end() - node.first();
        if (count == 1) {
            return;
        }
        int half = 1;
        while (half * 2 < count) {
            half *= 2;
        }
        var left = new Node(node.first(), node.first() + half);
        var right = new Node(node.first() + half, node.end());
        pairs.add(List.of(left, right));
        collect(left, nodes, pairs);
        collect(right, nodes, pairs);
    }

    private static List<MicroBatchRange> partition(Random random, int leaves) {
        var blocks = new ArrayList<MicroBatchRange>();
        int at = 0;
        while (at < leaves) {
            int count = 1 + random.nextInt(Math.min(leaves - at, 1 + leaves / 3));
            blocks.add(new MicroBatchRange(at, count));
            at += count;
        }
        return blocks;
    }

    private static float[] values(Random random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(6) - 3));
        }
        return values;
    }

    private static FloatBuffer direct(int floats) {
        return ByteBuffer.allocateDirect(floats * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }
}
