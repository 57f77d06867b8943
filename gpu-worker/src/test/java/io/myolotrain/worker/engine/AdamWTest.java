package io.myolotrain.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.ModelShape.Family;
import io.myolotrain.core.training.ParameterLayout.Shard;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Random;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AdamW;
import org.bytedeco.pytorch.AdamWOptions;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class AdamWTest {
    private static final long SEED = 23;
    private static final int STEPS = 20;
    private static final double SCALE = 0.37;

    @Test
    void updatesShardByShardEqualLibTorchsOptimizerOnTheWholeModel() {
        try (var trainer = new LibTorchTrainer(Fixtures.tiny(Family.GPT, 2, 2, 0), SEED);
                var scope = new PointerScope()) {
            trainer.initialise();
            int size = trainer.layout().size();
            assertThat(trainer.layout().shards()).hasSizeGreaterThan(2);
            Tensor reference = torch.from_blob(new FloatPointer(trainer.parameters()), size)
                    .clone();
            reference.set_requires_grad(true);
            var options = new AdamWOptions(Fixtures.ADAM_W.learningRate());
            options.weight_decay().put(Fixtures.ADAM_W.weightDecay());
            options.eps().put(Fixtures.ADAM_W.epsilon());
            var optimizer = new AdamW(new TensorVector(reference), options);
            List<FloatBuffer> moments = Fixtures.moments(trainer);
            var random = new Random(SEED);
            for (int step = 1; step <= STEPS; step++) {
                FloatBuffer gradient = randomGradient(random, size);
                FloatBuffer untouched = Fixtures.copy(gradient);
                Tensor scaled =
                        torch.from_blob(new FloatPointer(gradient), size).mul(new org.bytedeco.pytorch.Scalar(SCALE));
                reference.mutable_grad().put(scaled);
                optimizer.step();
                for (Shard shard : trainer.layout().shards()) {
                    trainer.adamW(shard, gradient, SCALE, moments.get(shard.index()), step, Fixtures.ADAM_W);
                }
                assertThat(gradient).isEqualTo(untouched);
            }
            FloatBuffer expected = reference.data_ptr_float().capacity(size).asBuffer();
            for (int i = 0; i < size; i++) {
                assertThat(trainer.parameters().get(i))
                        .as("seed %d float %d", SEED, i)
                        .isCloseTo(expected.get(i), within(1e-6f));
            }
        }
    }

    @Test
    void theOwnerOfAShardAndThePlaceOfItsMomentsChangeNoBit() {
        ModelShape shape = Fixtures.tiny(Family.GPT, 1, 1, 0);
        try (var one = new LibTorchTrainer(shape, SEED);
                var other = new LibTorchTrainer(shape, SEED)) {
            one.initialise();
            other.initialise();
            FloatBuffer gradient = randomGradient(new Random(SEED), one.layout().size());
            List<Shard> shards = one.layout().shards();
            for (Shard shard : shards) {
                FloatBuffer aligned = Fixtures.direct(2 * shard.length());
                FloatBuffer shifted =
                        Fixtures.direct(2 * shard.length() + 3).position(3).slice();
                for (int step = 1; step <= 3; step++) {
                    one.adamW(shard, gradient, 1, aligned, step, Fixtures.ADAM_W);
                }
                for (int step = 1; step <= 3; step++) {
                    other.adamW(shard, gradient, 1, shifted, step, Fixtures.ADAM_W);
                }
                assertThat(shifted).isEqualTo(aligned);
            }
            assertThat(other.parameters()).isEqualTo(one.parameters());
        }
    }

    @Test
    void squaredNormSumsTheShardAlone() {
        try (var trainer = new LibTorchTrainer(Fixtures.tiny(Family.GPT, 1, 2, 0), SEED)) {
            FloatBuffer gradient =
                    randomGradient(new Random(SEED), trainer.layout().size());
            for (Shard shard : trainer.layout().shards()) {
                double expected = 0;
                for (int i = shard.offset(); i < shard.offset() + shard.length(); i++) {
                    expected += (double) gradient.get(i) * gradient.get(i);
                }
                assertThat(trainer.squaredNorm(shard, gradient)).isCloseTo(expected, within(1e-12 * expected));
            }
        }
    }

    @Test
    void aForeignShardHeapBuffersAndWrongSizesAreRefused() {
        try (var trainer = new LibTorchTrainer(Fixtures.tiny(Family.GPT, 1, 1, 0), SEED)) {
            int size = trainer.layout().size();
            FloatBuffer gradient = Fixtures.direct(size);
            var foreign = new Shard(0, 1, 5);
            assertThatThrownBy(() -> trainer.adamW(foreign, gradient, 1, Fixtures.direct(10), 1, Fixtures.ADAM_W))
                    .hasMessageContaining("a shard of the layout");
            int[] tokens = new int[8];
            assertThatThrownBy(() -> trainer.gradient(1, 0, tokens, tokens, FloatBuffer.allocate(size)))
                    .hasMessageContaining("must be direct");
            assertThatThrownBy(() -> trainer.gradient(1, 0, tokens, tokens, Fixtures.direct(size - 1)))
                    .hasMessageContaining("one float per parameter");
            assertThatThrownBy(() -> trainer.gradient(1, 0, new int[7], new int[7], gradient))
                    .hasMessageContaining("must be (B, S)");
            assertThatThrownBy(() -> trainer.evaluate(new int[] {0, 1, 2, 3, 4, 5, 6, 32}, tokens))
                    .hasMessageContaining("token=32 vocabulary=32");
            assertThatThrownBy(() -> trainer.evaluate(tokens, new int[] {0, 1, 2, 3, 4, 5, 6, -1}))
                    .hasMessageContaining("target=-1");
            int[] ignored = new int[8];
            java.util.Arrays.fill(ignored, Trainer.IGNORED);
            assertThatThrownBy(() -> trainer.evaluate(tokens, ignored)).hasMessageContaining("at least one target");
        }
    }

    private static FloatBuffer randomGradient(Random random, int size) {
        FloatBuffer gradient = Fixtures.direct(size);
        for (int i = 0; i < size; i++) {
            gradient.put(i, (float) random.nextGaussian());
        }
        return gradient;
    }
}
