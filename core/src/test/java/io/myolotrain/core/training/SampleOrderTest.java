package io.myolotrain.core.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.core.model.MicroBatchRange;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleOrderTest {
    private static final long SEED = 7;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 16, 17, 64, 1_000, 65_537})
    void eachEpochIsAPermutation(long samples) {
        var order = new SampleOrder(SEED, samples);
        for (long epoch = 0; epoch < 3; epoch++) {
            assertThat(ids(order, epoch * samples, (epoch + 1) * samples).stream()
                            .sorted())
                    .as("seed %d samples %d epoch %d", SEED, samples, epoch)
                    .containsExactlyElementsOf(
                            LongStream.range(0, samples).boxed().toList());
        }
    }

    @Test // case D11
    void scalingFromOneToTwoWorkersInMidEpochReadsEverySampleOnce() {
        var order = new SampleOrder(SEED, 16);
        var read = new ArrayList<Long>();
        long position = 0;
        int worldSize = 1;
        while (position < 16) {
            var batch = new BatchArithmetic(worldSize == 1 ? 4 : 8, 4);
            int available = (int) Math.min(batch.globalBatch(), 16 - position);
            if (available < batch.globalBatch()) {
                batch = new BatchArithmetic(available, 4);
                worldSize = 1;
            }
            for (MicroBatchRange block : batch.blocks(worldSize)) {
                long first = batch.samplePosition(position, block.first());
                read.addAll(ids(order, first, first + (long) block.count() * 4));
            }
            position += batch.globalBatch();
            worldSize = 2;
        }
        assertThat(read).containsExactlyElementsOf(ids(order, 0, 16));
        assertThat(read).doesNotHaveDuplicates().hasSize(16);
    }

    @Test // case D12
    void aResumeInMidEpochContinuesTheSamePermutationAndTheNextEpochHasANewOne() {
        List<Long> uninterrupted = ids(new SampleOrder(SEED, 64), 0, 128);
        List<Long> resumed = new ArrayList<>(ids(new SampleOrder(SEED, 64), 0, 20));
        resumed.addAll(ids(new SampleOrder(SEED, 64), 20, 128));
        assertThat(resumed).isEqualTo(uninterrupted);
        assertThat(resumed.subList(20, 64)).doesNotContainAnyElementsOf(resumed.subList(0, 20));
        assertThat(resumed.subList(64, 128)).isNotEqualTo(resumed.subList(0, 64));
    }

    @Test
    void seedsGiveDifferentOrdersAndAnOrderIsNotTheStoredOne() {
        List<Long> one = ids(new SampleOrder(1, 1_000), 0, 1_000);
        assertThat(one).isNotEqualTo(ids(new SampleOrder(2, 1_000), 0, 1_000));
        long unmoved =
                LongStream.range(0, 1_000).filter(i -> one.get((int) i) == i).count();
        long ascents = LongStream.range(1, 1_000)
                .filter(i -> one.get((int) i) > one.get((int) i - 1))
                .count();
        assertThat(unmoved).isLessThan(10); // 1 expected of a random permutation
        assertThat(ascents).isBetween(440L, 560L);
    }

    @Test
    void hugeCorporaNeedNoMemory() {
        var order = new SampleOrder(SEED, SampleOrder.SAMPLES_MAX);
        assertThat(ids(order, 0, 100)).doesNotHaveDuplicates().allMatch(id -> id >= 0 && id < SampleOrder.SAMPLES_MAX);
        assertThat(new SampleOrder(SEED, 10).epochOf(29)).isEqualTo(2);
    }

    @Test
    void negativePositionsAndEmptyCorporaAreRefused() {
        assertThatThrownBy(() -> new SampleOrder(SEED, 0)).hasMessageContaining("samples must be in [1, 2^60]");
        assertThatThrownBy(() -> new SampleOrder(SEED, 4).sampleAt(-1)).hasMessageContaining("position must be >= 0");
    }

    private static List<Long> ids(SampleOrder order, long from, long to) {
        return LongStream.range(from, to).map(order::sampleAt).boxed().toList();
    }
}
