package io.myolotrain.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SamplingTest {
    private static Reading reading(long step, double value, long atMs) {
        return new Reading(
                new PoolId("pool"),
                new JobId("job"),
                "a1",
                new Generation(1),
                step,
                new WorkerId("w0"),
                0,
                "train.loss",
                value,
                atMs);
    }

    private static MetricPoint rolledUp(List<Reading> readings, Window window) {
        MetricPoint point = MetricPoint.of(readings.get(0), window);
        for (Reading next : readings.subList(1, readings.size())) {
            point = point.plus(next);
        }
        return point;
    }

    @Test
    void the_first_rule_that_matches_a_name_decides() {
        SamplingRules rules = SamplingRules.standard();

        assertThat(rules.policyFor("train.gradientNorm.layer3")).isInstanceOf(SamplingPolicy.ByStep.class);
        assertThat(rules.policyFor("comm.allReduceMicros")).isInstanceOf(SamplingPolicy.ByTime.class);
        assertThat(rules.policyFor("comm.gradientBytes")).isInstanceOf(SamplingPolicy.ByStep.class);
        assertThat(rules.policyFor("train.loss")).isInstanceOf(SamplingPolicy.Default.class);
    }

    @Test
    void the_default_policy_keeps_each_step_and_rolls_up_by_ten_and_hundred() {
        assertThat(SamplingRules.standard().policyFor("train.loss").windows())
                .containsExactly(Window.EACH_STEP, Window.steps(10), Window.steps(100));
    }

    @Test
    void windows_are_aligned_to_multiples_of_their_width() {
        assertThat(Window.steps(10).bucket(reading(19, 1, 0))).isEqualTo(1);
        assertThat(Window.steps(10).bucket(reading(20, 1, 0))).isEqualTo(2);
        assertThat(Window.millis(1_000).bucket(reading(20, 1, 2_999))).isEqualTo(2);
        assertThatThrownBy(() -> Window.steps(0)).hasMessageContaining("width=0");
    }

    @Test
    void a_roll_up_is_the_same_in_whatever_order_readings_come() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        var random = new Random(seed);
        var readings = new ArrayList<Reading>();
        for (int step = 100; step < 200; step++) {
            readings.add(reading(step, random.nextGaussian(), 1_000 + step));
        }
        double sum = readings.stream().mapToDouble(Reading::value).sum();
        double min = readings.stream().mapToDouble(Reading::value).min().orElseThrow();
        double max = readings.stream().mapToDouble(Reading::value).max().orElseThrow();
        double last = readings.get(99).value();
        Collections.shuffle(readings, random);

        MetricPoint point = rolledUp(readings, Window.steps(100));

        assertThat(point.min()).isEqualTo(min);
        assertThat(point.max()).isEqualTo(max);
        assertThat(point.last()).isEqualTo(last);
        assertThat(point.mean()).isCloseTo(sum / 100, within(1e-12));
        assertThat(point.count()).isEqualTo(100);
        assertThat(List.of(point.firstStep(), point.lastStep(), point.firstAtMs(), point.lastAtMs()))
                .containsExactly(100L, 199L, 1_100L, 1_199L);
    }

    @Test
    void a_value_that_is_not_finite_is_counted_and_spoils_nothing() {
        MetricPoint point = rolledUp(
                List.of(
                        reading(1, Double.NaN, 1),
                        reading(2, 4.0, 2),
                        reading(3, Double.POSITIVE_INFINITY, 3),
                        reading(4, 2.0, 4)),
                Window.steps(10));

        assertThat(point.nonFinite()).isEqualTo(2);
        assertThat(point.count()).isEqualTo(2);
        assertThat(List.of(point.min(), point.max(), point.mean(), point.last()))
                .containsExactly(2.0, 4.0, 3.0, 2.0);
    }

    @Test
    void a_point_without_any_finite_value_says_so() {
        MetricPoint point = MetricPoint.of(reading(1, Double.NEGATIVE_INFINITY, 1), Window.EACH_STEP);

        assertThat(point.count()).isZero();
        assertThat(point.nonFinite()).isEqualTo(1);
        assertThat(point.min()).isNaN();
        assertThat(point.last()).isNaN();
    }
}
