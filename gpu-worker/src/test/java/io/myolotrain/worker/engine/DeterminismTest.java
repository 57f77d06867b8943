package io.myolotrain.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.ModelShape.Family;
import io.myolotrain.core.training.BlockAccumulator;
import io.myolotrain.core.training.ParameterLayout.Shard;
import io.myolotrain.core.training.ReductionTree;
import io.myolotrain.worker.engine.Fixtures.Batch;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a plan may change without changing a bit. */
class DeterminismTest {
    private static final long SEED = 17;
    private static final int MICRO_BATCHES = 6;

    @ParameterizedTest
    @EnumSource(Family.class)
    void theOrderOfMicroBatchesChangesNoBitOfAnyGradient(Family family) {
        ModelShape shape = Fixtures.tiny(family, 2, 4, 0.2);
        List<FloatBuffer> inOrder = gradients(shape, List.of(0, 1, 2, 3, 4, 5));
        var order = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5));
        for (int trial = 0; trial < 3; trial++) {
            Collections.shuffle(order, new Random(SEED + trial));
            List<FloatBuffer> shuffled = gradients(shape, order);
            for (int microBatch = 0; microBatch < MICRO_BATCHES; microBatch++) {
                assertThat(shuffled.get(microBatch))
                        .as("seed %d order %s micro-batch %d", SEED + trial, order, microBatch)
                        .isEqualTo(inOrder.get(microBatch));
            }
        }
    }

    @Test
    void aRanksBlockOfMicroBatchesAddsUpToTheSameBitsAsTwoRanksBlocks() {
        ModelShape shape = Fixtures.tiny(Family.GPT, 1, 2, 0.1);
        var tree = new ReductionTree(4);
        FloatBuffer whole = partials(shape, tree, new MicroBatchRange(0, 4)).get(0);
        FloatBuffer left = partials(shape, tree, new MicroBatchRange(0, 2)).get(0);
        FloatBuffer right = partials(shape, tree, new MicroBatchRange(2, 2)).get(0);
        for (int i = 0; i < whole.limit(); i++) {
            assertThat(Float.floatToRawIntBits(left.get(i) + right.get(i)))
                    .isEqualTo(Float.floatToRawIntBits(whole.get(i)));
        }
    }

    @Test
    void aMaskBelongsToItsStepAndMicroBatchWhereverItIsDrawn() {
        ModelShape shape = Fixtures.tiny(Family.GPT, 2, 1, 0.3);
        Batch batch = Batch.of(shape, 2, SEED);
        try (var one = new LibTorchTrainer(shape, SEED);
                var other = new LibTorchTrainer(shape, SEED)) {
            one.initialise();
            other.initialise();
            FloatBuffer gradient = Fixtures.direct(one.layout().size());
            float loss = one.gradient(7, 3, batch.tokens(), batch.targets(), gradient);
            other.gradient(1, 0, batch.tokens(), batch.targets(), gradient);
            other.evaluate(batch.tokens(), batch.targets());
            assertThat(other.gradient(7, 3, batch.tokens(), batch.targets(), gradient))
                    .isEqualTo(loss);
            assertThat(other.gradient(7, 4, batch.tokens(), batch.targets(), gradient))
                    .isNotEqualTo(loss);
            assertThat(other.gradient(8, 3, batch.tokens(), batch.targets(), gradient))
                    .isNotEqualTo(loss);
        }
    }

    @Test
    void dropoutZeroesItsShareAndKeepsTheMean() {
        ModelShape shape = Fixtures.tiny(Family.GPT, 1, 1, 0.25);
        Batch batch = Batch.of(shape, 2, SEED);
        try (var trainer = new LibTorchTrainer(shape, SEED)) {
            trainer.initialise();
            FloatBuffer gradient = Fixtures.direct(trainer.layout().size());
            double sum = 0;
            for (int step = 1; step <= 400; step++) {
                sum += trainer.gradient(step, 0, batch.tokens(), batch.targets(), gradient);
            }
            double without = trainer.evaluate(batch.tokens(), batch.targets());
            // at initialisation the scores are near zero, so the mean loss under dropout stays near the loss without
            assertThat(sum / 400).isCloseTo(without, org.assertj.core.api.Assertions.within(0.02 * without));
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void theSameSeedTwiceGivesTheSameBits(Family family) {
        ModelShape shape = Fixtures.tiny(family, 2, 2, 0.1);
        assertThat(trained(shape, SEED)).isEqualTo(trained(shape, SEED));
        assertThat(trained(shape, SEED)).isNotEqualTo(trained(shape, SEED + 1));
    }

    private static FloatBuffer trained(ModelShape shape, long seed) {
        try (var trainer = new LibTorchTrainer(shape, seed)) {
            trainer.initialise();
            FloatBuffer gradient = Fixtures.direct(trainer.layout().size());
            List<FloatBuffer> moments = Fixtures.moments(trainer);
            for (int step = 1; step <= 5; step++) {
                Batch batch = Batch.of(shape, 2, step);
                trainer.gradient(step, 0, batch.tokens(), batch.targets(), gradient);
                for (Shard shard : trainer.layout().shards()) {
                    trainer.adamW(shard, gradient, 1, moments.get(shard.index()), step, Fixtures.ADAM_W);
                }
            }
            return Fixtures.copy(trainer.parameters());
        }
    }

    private static List<FloatBuffer> gradients(ModelShape shape, List<Integer> order) {
        var gradients = new ArrayList<>(Collections.nCopies(MICRO_BATCHES, Fixtures.direct(0)));
        try (var trainer = new LibTorchTrainer(shape, SEED)) {
            trainer.initialise();
            for (int microBatch : order) {
                FloatBuffer gradient = Fixtures.direct(trainer.layout().size());
                Batch batch = Batch.of(shape, 2, microBatch);
                trainer.gradient(1, microBatch, batch.tokens(), batch.targets(), gradient);
                gradients.set(microBatch, gradient);
            }
        }
        return gradients;
    }

    private static List<FloatBuffer> partials(ModelShape shape, ReductionTree tree, MicroBatchRange block) {
        try (var trainer = new LibTorchTrainer(shape, SEED)) {
            trainer.initialise();
            var accumulator =
                    new BlockAccumulator(() -> Fixtures.direct(trainer.layout().size()));
            accumulator.begin(tree, block);
            for (int microBatch = block.first(); microBatch < block.end(); microBatch++) {
                Batch batch = Batch.of(shape, 2, microBatch);
                FloatBuffer gradient = accumulator.take();
                trainer.gradient(1, microBatch, batch.tokens(), batch.targets(), gradient);
                accumulator.push(gradient);
            }
            return accumulator.partials();
        }
    }
}
