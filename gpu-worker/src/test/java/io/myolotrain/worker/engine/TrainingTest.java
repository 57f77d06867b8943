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
import org.bytedeco.javacpp.Pointer;
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
    void thousandsOfStepsHoldNoMoreNativeMemoryThanHundreds() {
        ModelShape shape = Fixtures.tiny(Family.GPT, 2, 2, 0.1);
        Batch batch = Batch.of(shape, 4, SEED);
        try (var trainer = new LibTorchTrainer(shape, SEED)) {
            trainer.initialise();
            FloatBuffer gradient = Fixtures.direct(trainer.layout().size());
            List<FloatBuffer> moments = Fixtures.moments(trainer);
            train(trainer, batch, gradient, moments, 1, 300);
            long pointers = Pointer.totalCount();
            long residentBytes = Pointer.physicalBytes();
            train(trainer, batch, gradient, moments, 301, 2_300);
            assertThat(Pointer.totalCount()).isEqualTo(pointers);
            // one leaked activation per step would be 4 MB; the rest is the JVM's own heap and code
            assertThat(Pointer.physicalBytes() - residentBytes).isLessThan(64L << 20);
        }
    }

    @Test
    void aClosedTrainerHasGivenEverythingBack() {
        long before = Pointer.totalCount();
        ModelShape shape = Fixtures.tiny(Family.BERT, 2, 2, 0.1);
        Batch batch = Batch.of(shape, 2, SEED);
        for (int i = 0; i < 3; i++) {
            try (var trainer = new LibTorchTrainer(shape, SEED)) {
                trainer.initialise();
                FloatBuffer gradient = Fixtures.direct(trainer.layout().size());
                train(trainer, batch, gradient, Fixtures.moments(trainer), 1, 2);
            }
        }
        assertThat(Pointer.totalCount()).isEqualTo(before);
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
