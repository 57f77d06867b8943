package io.myolotrain.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FramesTest {
    private final HistogramTally tally = new HistogramTally();

    private Histogram histogram(float... values) {
        return tally.of(3, FloatBuffer.wrap(values), 0, values.length);
    }

    @Test
    void a_histogram_counts_each_value_in_the_bucket_of_its_power_of_two() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        var random = new Random(seed);
        float[] values = new float[10_001];
        long[] expected = new long[Histogram.BUCKETS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(30) - 20));
            int exponent = Math.getExponent(values[i]);
            expected[Math.max(0, Math.min(63, exponent + 48))]++;
        }

        Histogram histogram = histogram(values);

        long[] counted = new long[Histogram.BUCKETS];
        for (int i = 0; i < histogram.counts().size(); i++) {
            counted[histogram.firstBucket() + i] = histogram.counts().get(i);
        }
        assertThat(counted).isEqualTo(expected);
        assertThat(histogram.finite()).isEqualTo(values.length);
        assertThat(Histogram.lowerBound(48)).isEqualTo(1.0);
    }

    @Test
    void only_the_asked_range_is_counted_and_nothing_is_changed() {
        float[] values = {100, 1, 2, 3, 4, 5, 100};

        Histogram histogram = tally.of(0, FloatBuffer.wrap(values), 1, 5);

        assertThat(histogram.finite()).isEqualTo(5);
        assertThat(histogram.maxMagnitude()).isEqualTo(5);
        assertThat(histogram.sumOfSquares()).isEqualTo(1 + 4 + 9 + 16 + 25);
        assertThat(values).containsExactly(100, 1, 2, 3, 4, 5, 100);
    }

    @Test
    void F05_one_nan_of_a_thousand_leaves_the_finite_part_as_it_was() {
        float[] clean = new float[999];
        float[] spoilt = new float[1_000];
        for (int i = 0; i < clean.length; i++) {
            clean[i] = (i + 1) / 100f;
            spoilt[i] = clean[i];
        }
        spoilt[999] = Float.NaN;

        Histogram histogram = histogram(spoilt);

        assertThat(histogram.counts()).isEqualTo(histogram(clean).counts());
        assertThat(histogram.nans()).isEqualTo(1);
        assertThat(histogram.maxMagnitude()).isEqualTo(9.99f);
        assertThat(histogram.sumOfSquares()).isEqualTo(histogram(clean).sumOfSquares());
    }

    @Test
    void F05_all_nan_infinite_equal_and_empty_are_histograms_too() {
        Histogram nans = histogram(Float.NaN, Float.NaN);
        assertThat(nans.nans()).isEqualTo(2);
        assertThat(nans.finite()).isZero();
        assertThat(nans.maxMagnitude()).isZero();

        Histogram infinite = histogram(Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY, -2);
        assertThat(infinite.positiveInfinities()).isEqualTo(1);
        assertThat(infinite.negativeInfinities()).isEqualTo(2);
        assertThat(infinite.finite()).isEqualTo(1);
        assertThat(infinite.maxMagnitude()).isEqualTo(2);
        assertThat(infinite.sumOfSquares()).isEqualTo(4);
        assertThat(infinite.norm()).isInfinite();
        assertThat(nans.norm()).isNaN();
        assertThat(histogram(3, -4).norm()).isEqualTo(5);

        Histogram equal = histogram(0.5f, 0.5f, -0.5f);
        assertThat(equal.firstBucket()).isEqualTo(47);
        assertThat(equal.counts()).containsExactly(3L);

        Histogram zeros = histogram(0, -0f, Float.MIN_VALUE);
        assertThat(zeros.zeros()).isEqualTo(2);
        assertThat(zeros.counts()).containsExactly(1L);

        Histogram empty = histogram();
        assertThat(empty.finite()).isZero();
        assertThat(empty.nonFinite()).isZero();
    }

    @Test
    void F15_attention_of_a_long_example_is_reduced_and_a_lone_strong_link_stays() {
        int positions = 512;
        float[] square = new float[positions * positions];
        square[300 * positions + 7] = 0.9f;

        AttentionMap map = AttentionMap.reduced("attention.map", "r1", 2, 3, List.of(), positions, square);

        assertThat(map.cell()).isEqualTo(4);
        assertThat(map.side()).isEqualTo(128);
        assertThat(map.weights()).hasSize(128 * 128);
        assertThat(map.weights().get(75 * 128 + 1)).isEqualTo(0.9f);
        assertThat(map.weights().stream().filter(w -> w > 0)).hasSize(1);
    }

    @Test
    void F15_a_map_that_was_not_reduced_is_refused_with_what_to_do() {
        var weights = Collections.nCopies(2_048 * 2_048, 0f);

        assertThatThrownBy(() -> new AttentionMap("m", "", 0, 0, 2_048, List.of(), 1, weights))
                .hasMessageContaining("positions=2048")
                .hasMessageContaining("reduce it first");
    }

    @Test
    void F16_fewer_labels_than_positions_mean_padding_and_no_labels_or_no_positions_are_fine() {
        var labels = new ArrayList<>(Collections.nCopies(976, "t"));

        AttentionMap padded = AttentionMap.reduced("m", "", 0, 0, labels, 1_024, new float[1_024 * 1_024]);
        assertThat(padded.padding()).isEqualTo(48);

        AttentionMap unlabelled = AttentionMap.reduced("m", "", 0, 0, List.of(), 4, new float[16]);
        assertThat(unlabelled.padding()).isZero();

        AttentionMap empty = AttentionMap.reduced("m", "", 0, 0, List.of(), 0, new float[0]);
        assertThat(empty.weights()).isEmpty();
        assertThat(empty.side()).isZero();

        labels.addAll(Collections.nCopies(100, "t"));
        assertThatThrownBy(() -> AttentionMap.reduced("m", "", 0, 0, labels, 1_024, new float[1_024 * 1_024]))
                .hasMessageContaining("tokens=1076 positions=1024");
    }

    @Test
    void a_matrix_that_is_not_rows_times_columns_is_refused() {
        assertThatThrownBy(() -> new Matrix("m", 2, 2, List.of(1f, 2f, 3f))).hasMessageContaining("values=3");
        assertThatThrownBy(() -> new Matrix(" ", 1, 1, List.of(1f))).hasMessageContaining("name must have");
    }
}
