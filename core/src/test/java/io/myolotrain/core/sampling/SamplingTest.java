package io.myolotrain.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SamplingTest {
    private static final Line LINE = new Line(new PoolId("pool"), new JobId("job"), "a1", new Generation(1));

    private record Value(long step, double value, long atMs) {}

    private static MetricPoint rolledUp(List<Value> values, Window window) {
        var rollUp =
                new RollUp(window.bucket(values.get(0).step(), values.get(0).atMs()), 7);
        values.forEach(v -> rollUp.add(v.step(), v.atMs(), v.value()));
        return rollUp.point(LINE, "train.loss", window);
    }

    @Test
    void the_first_rule_that_matches_a_name_decides() {
        SamplingRules rules = SamplingRules.standard();

        assertThat(rules.policyFor("train.gradientNorm.layer3")).isEqualTo(new SamplingPolicy.ByStep(10));
        assertThat(rules.policyFor("comm.allReduceMicros")).isEqualTo(new SamplingPolicy.ByTime(1_000));
        assertThat(rules.policyFor("comm.gradientBytes")).isInstanceOf(SamplingPolicy.ByStep.class);
        assertThat(rules.policyFor("train.loss")).isInstanceOf(SamplingPolicy.Default.class);
    }

    @Test
    void a_jobs_own_rules_stand_before_the_standard_ones() {
        var own = new SamplingRules(
                List.of(new SamplingRules.Rule(new MetricPattern("gradient.*3"), new SamplingPolicy.Default())));

        SamplingRules rules = own.beforeStandard();

        assertThat(rules.ruleFor("gradient.norm.3")).isZero();
        assertThat(rules.ruleFor("gradient.norm.4")).isEqualTo(1);
        assertThat(rules.ruleFor("train.loss")).isEqualTo(-1);
    }

    @Test
    void a_pattern_without_wildcards_is_a_fragment_and_one_with_wildcards_takes_whole_names() {
        assertThat(new MetricPattern("Norm").matches("train.gradient_norm")).isTrue();
        assertThat(new MetricPattern("train.*").matches("train.loss")).isTrue();
        assertThat(new MetricPattern("train.*").matches("retrain.loss")).isFalse();
        assertThat(new MetricPattern("*.layer?").matches("gradient.norm.layer3"))
                .isTrue();
        assertThat(new MetricPattern("*.layer?").matches("gradient.norm.layer13"))
                .isFalse();
        assertThat(new MetricPattern("a*b*c").matches("a-b-b-c-c")).isTrue();
        assertThat(new MetricPattern("*").matches("")).isTrue();
        assertThat(new MetricPattern("a?").matches("a*")).isTrue();
        assertThatThrownBy(() -> new MetricPattern("a b")).hasMessageContaining("pattern=a b");
    }

    @Test
    void a_pattern_that_makes_a_regular_expression_hang_is_matched_at_once() {
        String name = "a".repeat(200);

        assertThat(new MetricPattern("*a".repeat(90) + "*b").matches(name)).isFalse();
    }

    @Test
    void the_default_policy_keeps_each_step_and_rolls_up_by_powers_of_ten() {
        assertThat(SamplingRules.standard().policyFor("train.loss").windows())
                .containsExactly(Window.EACH_STEP, Window.steps(10), Window.steps(100), Window.steps(1_000));
    }

    @Test
    void a_frame_is_kept_by_step_by_time_or_always() {
        assertThat(new SamplingPolicy.ByStep(10).keepsFrame(20, 0, 0)).isTrue();
        assertThat(new SamplingPolicy.ByStep(10).keepsFrame(21, 0, 0)).isFalse();
        assertThat(new SamplingPolicy.ByTime(1_000).keepsFrame(1, 2_000, 1_999)).isTrue();
        assertThat(new SamplingPolicy.ByTime(1_000).keepsFrame(2, 2_999, 2_000)).isFalse();
        assertThat(new SamplingPolicy.Default().keepsFrame(1, 0, 0)).isTrue();
    }

    @Test
    void windows_are_aligned_to_multiples_of_their_width() {
        assertThat(Window.steps(10).bucket(19, 0)).isEqualTo(1);
        assertThat(Window.steps(10).bucket(20, 0)).isEqualTo(2);
        assertThat(Window.millis(1_000).bucket(20, 2_999)).isEqualTo(2);
        assertThatThrownBy(() -> Window.steps(0)).hasMessageContaining("width=0");
    }

    @Test
    void a_roll_up_is_the_same_in_whatever_order_readings_come_and_goes_on_from_its_point() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        var random = new Random(seed);
        var values = new ArrayList<Value>();
        for (int step = 100; step < 200; step++) {
            values.add(new Value(step, random.nextGaussian(), 1_000 + step));
        }
        double sum = values.stream().mapToDouble(Value::value).sum();
        double min = values.stream().mapToDouble(Value::value).min().orElseThrow();
        double max = values.stream().mapToDouble(Value::value).max().orElseThrow();
        double last = values.get(99).value();
        Collections.shuffle(values, random);

        MetricPoint half = rolledUp(values.subList(0, 50), Window.steps(100));
        RollUp again = RollUp.of(half);
        values.subList(50, 100).forEach(v -> again.add(v.step(), v.atMs(), v.value()));
        MetricPoint point = again.point(LINE, "train.loss", Window.steps(100));

        assertThat(point.min()).isEqualTo(min);
        assertThat(point.max()).isEqualTo(max);
        assertThat(point.last()).isEqualTo(last);
        assertThat(point.mean()).isCloseTo(sum / 100, within(1e-12));
        assertThat(point.count()).isEqualTo(100);
        assertThat(point.part()).isEqualTo(7);
        assertThat(List.of(point.firstStep(), point.lastStep(), point.firstAtMs(), point.lastAtMs()))
                .containsExactly(100L, 199L, 1_100L, 1_199L);
    }

    @Test
    void F04_a_value_that_is_not_finite_is_counted_by_kind_and_spoils_nothing() {
        MetricPoint point = rolledUp(
                List.of(
                        new Value(1, 4.0, 1),
                        new Value(3, Double.POSITIVE_INFINITY, 3),
                        new Value(2, Double.NaN, 2),
                        new Value(4, 2.0, 4),
                        new Value(5, Double.NEGATIVE_INFINITY, 5),
                        new Value(6, Double.NaN, 6)),
                Window.steps(10));

        assertThat(point.nonFinite()).isEqualTo(4);
        assertThat(point.summary().positiveInfinities()).isEqualTo(1);
        assertThat(point.summary().negativeInfinities()).isEqualTo(1);
        assertThat(point.summary().nans()).isEqualTo(2);
        assertThat(point.summary().firstNonFiniteStep()).isEqualTo(2);
        assertThat(point.count()).isEqualTo(2);
        assertThat(List.of(point.min(), point.max(), point.mean(), point.last()))
                .containsExactly(2.0, 4.0, 3.0, 2.0);
    }

    @Test
    void F04_a_point_without_any_finite_value_says_so() {
        MetricPoint point = rolledUp(List.of(new Value(1, Double.NEGATIVE_INFINITY, 1)), Window.EACH_STEP);

        assertThat(point.summary()).isEqualTo(Summary.of(1, Double.NEGATIVE_INFINITY));
        assertThat(point.count()).isZero();
        assertThat(point.min()).isNaN();
        assertThat(point.last()).isNaN();
    }
}
