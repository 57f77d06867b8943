package io.myolotrain.core.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.myolotrain.core.training.RandomStreams.Site;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RandomStreamsTest {
    private final RandomStreams streams = new RandomStreams(42);

    @Test
    void theNumbersOfARunningJobNeverChange() {
        // golden, computed independently: a change here breaks the resume of every stored job
        assertThat(streams.stream(Site.MLP_DROPOUT, 3, 2, 1, 0).bits(0)).isEqualTo(GOLDEN_BITS);
        assertThat(streams.stream(Site.INITIAL_VALUE, 0, 0, -1, -1).gaussian(5)).isEqualTo(GOLDEN_GAUSSIAN);
    }

    @Test
    void everyPlaceHasItsOwnStream() {
        Set<Long> keys = new HashSet<>();
        int places = 0;
        for (Site site : Site.values()) {
            for (long step = 0; step < 6; step++) {
                for (int microBatch = 0; microBatch < 6; microBatch++) {
                    for (int layer = -1; layer < 6; layer++) {
                        for (int slice = -1; slice < 6; slice++) {
                            keys.add(streams.stream(site, step, microBatch, layer, slice)
                                    .key());
                            places++;
                        }
                    }
                }
            }
        }
        assertThat(keys).hasSize(places);
        assertThat(new RandomStreams(43).stream(Site.TOKEN_MASK, 0, 0, 0, 0).key())
                .isNotEqualTo(streams.stream(Site.TOKEN_MASK, 0, 0, 0, 0).key());
    }

    @Test
    void uniformsAndNormalsHaveTheirMoments() {
        var stream = streams.stream(Site.INITIAL_VALUE, 0, 0, 0, 0);
        double uniformMean = LongStream.range(0, 100_000)
                .mapToDouble(stream::uniform)
                .average()
                .orElseThrow();
        double normalMean = LongStream.range(0, 100_000)
                .mapToDouble(stream::gaussian)
                .average()
                .orElseThrow();
        double normalVariance = LongStream.range(0, 100_000)
                .mapToDouble(stream::gaussian)
                .map(x -> x * x)
                .average()
                .orElseThrow();
        assertThat(uniformMean).isCloseTo(0.5, within(0.005));
        assertThat(normalMean).isCloseTo(0, within(0.015));
        assertThat(normalVariance).isCloseTo(1, within(0.02));
        assertThat(LongStream.range(0, 1_000).map(i -> stream.below(7, i)).boxed())
                .allMatch(v -> v >= 0 && v < 7)
                .contains(0L, 6L);
    }

    @Test
    void masksExactlyFifteenPercentOfEachSampleAndKeepsTheAnswers() {
        var masking = new TokenMasking(256, 0, -100);
        int changed = 0;
        for (int microBatch = 0; microBatch < 50; microBatch++) {
            int[] original =
                    IntStream.range(0, 128).map(i -> 1 + (i * 37) % 200).toArray();
            int[] tokens = original.clone();
            int[] targets = new int[128];
            masking.apply(streams.stream(Site.TOKEN_MASK, 1, microBatch, 0, 0), tokens, targets, 0, 128);
            int chosen = 0;
            for (int i = 0; i < 128; i++) {
                if (targets[i] == -100) {
                    assertThat(tokens[i]).isEqualTo(original[i]);
                } else {
                    chosen++;
                    assertThat(targets[i]).isEqualTo(original[i]);
                    changed += tokens[i] == 0 ? 1 : 0;
                }
            }
            assertThat(chosen).isEqualTo(19);
        }
        assertThat(changed / (50 * 19.0)).isCloseTo(0.8, within(0.06));
    }

    private static final long GOLDEN_BITS = -4901388901464728164L;
    private static final double GOLDEN_GAUSSIAN = 0.41913621062826767;
}
