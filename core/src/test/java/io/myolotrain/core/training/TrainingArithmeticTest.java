package io.myolotrain.core.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.Schedule;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrainingArithmeticTest {
    @Test
    void warmsUpLinearlyThenFallsAlongACosineToTheFloor() {
        TrainingConfig config = config(Schedule.COSINE);
        assertThat(LearningRate.at(config, 1)).isEqualTo(1e-3 / 10);
        assertThat(LearningRate.at(config, 10)).isEqualTo(1e-3);
        assertThat(LearningRate.at(config, 60)).isCloseTo((1e-3 + 1e-4) / 2, within(1e-12));
        assertThat(LearningRate.at(config, 110)).isEqualTo(1e-4);
        assertThat(LearningRate.at(config, 100_000)).isEqualTo(1e-4);
        for (long step = 11; step <= 110; step++) {
            assertThat(LearningRate.at(config, step)).isLessThan(LearningRate.at(config, step - 1));
        }
        assertThatThrownBy(() -> LearningRate.at(config, 0)).hasMessageContaining("count from 1");
    }

    @Test
    void constantStaysAtThePeak() {
        assertThat(LearningRate.at(config(Schedule.CONSTANT), 5)).isEqualTo(5e-4);
        assertThat(LearningRate.at(config(Schedule.CONSTANT), 1_000_000)).isEqualTo(1e-3);
    }

    @Test
    void blocksCoverAllMicroBatchesInOrderAndDifferByAtMostOne() {
        var random = new Random(11);
        for (int trial = 0; trial < 500; trial++) {
            int microBatches = 1 + random.nextInt(300);
            var batch = new BatchArithmetic(microBatches * 8, 8);
            int dp = 1 + random.nextInt(microBatches);
            int next = 0;
            for (MicroBatchRange block : batch.blocks(dp)) {
                assertThat(block.first()).isEqualTo(next);
                assertThat(block.count()).isBetween(microBatches / dp, (microBatches + dp - 1) / dp);
                next = block.end();
            }
            assertThat(next).isEqualTo(microBatches);
        }
        assertThatThrownBy(() -> new BatchArithmetic(10, 4)).hasMessageContaining("globalBatch=10 microBatch=4");
        assertThatThrownBy(() -> new BatchArithmetic(8, 4).block(3, 0)).hasMessageContaining("dp=3");
    }

    @Test
    void clipsTheMeanGradientAndOnlyWhenItIsLonger() {
        assertThat(GradientClip.meanNorm(16 * 9, 4)).isEqualTo(3);
        assertThat(GradientClip.scale(3, 1, 4)).isCloseTo(1.0 / 3 / 4, within(1e-7));
        assertThat(GradientClip.scale(0.5, 1, 4)).isEqualTo(0.25);
        assertThat(GradientClip.scale(1e9, 0, 4)).isEqualTo(0.25);
    }

    @Test
    void theDemoModelHasTheParametersOfAPlainGpt() {
        // 2 embeddings + 4 × (norms, attention, MLP with biases) + final norm + untied head
        assertThat(ParameterLayout.of(shape(1)).size()).isEqualTo(875_264);
        assertThat(ParameterLayout.of(shape(2)).size()).isEqualTo(875_264);
        assertThat(ParameterLayout.of(shape(4)).size()).isEqualTo(875_264);
    }

    @Test
    void shardsTileTheBufferAndNeverCrossACell() {
        for (int slices : new int[] {1, 2, 4}) {
            var big = new ModelShape(ModelShape.Family.GPT, 3, 256, 4, 128, 5_000, slices, 0);
            ParameterLayout layout = ParameterLayout.of(big);
            int at = 0;
            for (ParameterLayout.Shard shard : layout.shards()) {
                assertThat(shard.offset()).isEqualTo(at);
                assertThat(shard.length()).isBetween(1, ParameterLayout.SHARD_FLOATS_MAX);
                int from = shard.offset();
                int to = from + shard.length();
                assertThat(layout.parameters().stream()
                                .filter(p -> p.offset() < to && p.offset() + p.size() > from)
                                .map(ParameterLayout.Parameter::cell)
                                .distinct())
                        .hasSize(1);
                at = to;
            }
            assertThat(at).isEqualTo(layout.size());
        }
    }

    private static ModelShape shape(int slices) {
        return new ModelShape(ModelShape.Family.GPT, 4, 128, 4, 128, 256, slices, 0);
    }

    private static TrainingConfig config(Schedule schedule) {
        return new TrainingConfig(
                1,
                8,
                1e-3,
                1e-4,
                schedule,
                10,
                110,
                0.1,
                0.9,
                0.95,
                1e-8,
                1,
                TrainingConfig.Precision.FLOAT32,
                0,
                0,
                1_000,
                TrainingConfig.RunState.RUNNING);
    }
}
