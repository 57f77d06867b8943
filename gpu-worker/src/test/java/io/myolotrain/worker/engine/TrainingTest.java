package io.myolotrain.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.ModelShape.Family;
import io.myolotrain.core.model.TrainingConfig.Precision;
import io.myolotrain.core.training.ParameterLayout.Shard;
import io.myolotrain.worker.engine.Fixtures.Batch;
import io.myolotrain.worker.engine.bench.RawLibTorchLoop;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingTest {
    private static final long SEED = 31;
    private static final double UNTRAINED = Math.log(32); // a uniform guess over the vocabulary

    @ParameterizedTest(name = "{0} in {1}, {2} slices")
    @CsvSource({"GPT, FLOAT32, 1", "BERT, FLOAT32, 2", "GPT, BF16, 2", "BERT, BF16, 1"})
    void overfitsASmallBatch(Family family, Precision precision, int slices) {
        ModelShape shape = Fixtures.tiny(family, 2, slices, 0);
        Batch batch = Batch.of(shape, 4, SEED);
        try (var trainer = new LibTorchTrainer(shape, SEED)) {
            trainer.initialise();
            trainer.precision(precision);
            FloatBuffer gradient = Fixtures.direct(trainer.layout().size());
            List<FloatBuffer> moments = Fixtures.moments(trainer);
            float first = train(trainer, batch, gradient, moments, 1, 1);
            float last = train(trainer, batch, gradient, moments, 2, 150);
            assertThat((double) first).isBetween(0.9 * UNTRAINED, 1.1 * UNTRAINED);
            assertThat(last).as("seed %d", SEED).isLessThan(0.3f);
            assertThat(trainer.evaluate(batch.tokens(), batch.targets())).isLessThan(0.3f);
        }
    }

    @Test
    void theBenchmarksBaselineIsARealTrainingLoopOfTheSameSize() {
        var lab = new ModelShape(Family.GPT, 4, 128, 4, 128, 256, 1, 0);
        try (var raw = new RawLibTorchLoop(lab, 1, SEED, 1e-3, 0.01)) {
            assertThat(raw.size()).isEqualTo(875_264);
        }
        ModelShape shape = Fixtures.tiny(Family.GPT, 2, 1, 0);
        Batch batch = Batch.of(shape, 4, SEED);
        try (var raw = new RawLibTorchLoop(shape, 4, SEED, 1e-2, 0)) {
            float last = 0;
            for (int step = 0; step < 150; step++) {
                last = raw.step(batch.tokens(), batch.targets());
            }
            assertThat(last).isLessThan(0.3f);
            assertThat(raw.medianStepMillis(1, 3)).isPositive();
        }
    }

    private static float train(
            LibTorchTrainer trainer, Batch batch, FloatBuffer gradient, List<FloatBuffer> moments, int from, int to) {
        float loss = 0;
        for (int step = from; step <= to; step++) {
            loss = trainer.gradient(step, 0, batch.tokens(), batch.targets(), gradient);
            for (Shard shard : trainer.layout().shards()) {
                trainer.adamW(shard, gradient, 1, moments.get(shard.index()), step, Fixtures.ADAM_W);
            }
        }
        return loss;
    }
}
