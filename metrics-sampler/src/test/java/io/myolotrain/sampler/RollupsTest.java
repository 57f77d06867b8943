package io.myolotrain.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.SamplingRules;
import io.myolotrain.core.sampling.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RollupsTest {
    private final Map<String, MetricPoint> kept = new TreeMap<>();
    private final Map<String, Long> drops = new TreeMap<>();
    private Rollups rollups = rollups();
    private long nowMs = 1_000_000;
    private long part;

    private Rollups rollups() {
        return new Rollups(
                SamplingRules.standard(),
                new Rollups.Kept() {
                    @Override
                    public void put(MetricPoint point) {
                        kept.put(key(point), point);
                    }

                    @Override
                    public void delete(MetricPoint point) {
                        kept.remove(key(point));
                    }
                },
                (reason, count) -> drops.merge(reason, count, Long::sum));
    }

    private static String key(MetricPoint point) {
        return Series.of(point) + "/" + point.window() + "/" + point.bucket();
    }

    private void add(String attempt, long generation, String name, long step, double value) {
        var line = new Line(new PoolId("pool"), new JobId("job"), attempt, new Generation(generation));
        rollups.add(new Origin(line, step, new WorkerId("w0"), 0, nowMs), name, value, ++part, nowMs);
    }

    private void loss(long step, double value) {
        add("a1", 1, "train.loss", step, value);
    }

    private List<MetricPoint> flush() {
        nowMs += 200;
        return rollups.flush(nowMs);
    }

    private static List<MetricPoint> at(Window window, List<MetricPoint> points) {
        return points.stream().filter(p -> p.window().equals(window)).toList();
    }

    @Test
    void a_reading_is_published_at_the_next_flush_and_once() {
        loss(7, 0.5);

        assertThat(flush()).singleElement().satisfies(point -> {
            assertThat(point.window()).isEqualTo(Window.EACH_STEP);
            assertThat(point.last()).isEqualTo(0.5);
        });
        assertThat(flush()).isEmpty();
    }

    @Test
    void a_roll_up_is_published_when_the_next_one_begins() {
        var published = new ArrayList<MetricPoint>();
        for (int step = 1; step <= 20; step++) {
            loss(step, step);
            published.addAll(flush());
        }

        assertThat(at(Window.EACH_STEP, published)).hasSize(20);
        assertThat(at(Window.steps(10), published))
                .extracting(MetricPoint::firstStep, MetricPoint::lastStep, MetricPoint::count)
                .containsExactly(tuple(1L, 9L, 9L), tuple(10L, 19L, 10L));
    }

    @Test
    void a_roll_up_of_a_job_that_has_paused_is_published_as_it_is_and_again_when_it_grows() {
        loss(11, 1.0);
        nowMs += Rollups.QUIET_MS;
        assertThat(at(Window.steps(10), flush())).extracting(MetricPoint::count).containsExactly(1L);

        loss(12, 3.0);
        nowMs += Rollups.QUIET_MS;
        assertThat(at(Window.steps(10), flush())).singleElement().satisfies(point -> {
            assertThat(point.count()).isEqualTo(2);
            assertThat(point.mean()).isEqualTo(2.0);
        });
    }

    @Test
    void a_late_reading_corrects_a_point_that_is_still_open_and_never_replaces_one_that_is_closed() {
        for (int step = 1; step <= 10; step++) {
            loss(step, step);
            flush();
        }
        loss(8, 100);
        assertThat(at(Window.EACH_STEP, flush())).singleElement().satisfies(point -> {
            assertThat(point.count()).isEqualTo(2);
            assertThat(point.max()).isEqualTo(100);
        });

        loss(2, 100);
        assertThat(at(Window.EACH_STEP, flush())).isEmpty();
    }

    @Test
    void a_step_that_is_run_again_in_another_generation_or_attempt_has_its_own_points() {
        add("a1", 1, "train.loss", 5, 1.0);
        add("a1", 2, "train.loss", 5, 2.0);
        add("a2", 1, "train.loss", 5, 3.0);
        add("a1", 1, "train.loss", 5, 9.0);

        assertThat(flush())
                .extracting(MetricPoint::attempt, p -> p.generation().value(), MetricPoint::count, MetricPoint::max)
                .containsExactly(tuple("a1", 1L, 2L, 9.0), tuple("a1", 2L, 1L, 2.0), tuple("a2", 1L, 1L, 3.0));
    }

    @Test
    void communication_is_rolled_up_by_time_whatever_the_pace_of_steps() {
        var published = new ArrayList<MetricPoint>();
        for (int step = 1; step <= 300; step++) {
            add("a1", 1, "comm.allReduceMicros", step, step);
            nowMs += 10;
            published.addAll(rollups.flush(nowMs));
        }

        assertThat(published).extracting(MetricPoint::window).containsOnly(Window.millis(1_000));
        assertThat(published).extracting(MetricPoint::count).containsExactly(100L, 100L);
    }

    @Test
    void points_of_one_step_are_thinned_beyond_the_rate_and_nothing_is_lost_in_the_roll_ups() {
        for (int step = 1; step <= 200; step++) {
            loss(step, step);
        }
        List<MetricPoint> published = flush();

        assertThat(at(Window.EACH_STEP, published)).hasSize(Rollups.STEPS_PER_FLUSH_MAX);
        assertThat(drops).containsEntry("thinned", 200L - Rollups.STEPS_PER_FLUSH_MAX);
        assertThat(at(Window.steps(10), published).stream()
                        .mapToLong(MetricPoint::count)
                        .sum())
                .isEqualTo(199);
    }

    @Test
    void memory_is_bounded_by_series_and_what_does_not_fit_is_counted() {
        for (int i = 0; i < Rollups.SERIES_MAX + 10; i++) {
            add("a1", 1, "m" + i, 1, 1);
        }

        assertThat(rollups.openSeries()).isEqualTo(Rollups.SERIES_MAX);
        assertThat(drops).containsEntry("series", 10L);
    }

    @Test
    void a_silent_series_gives_way_to_a_new_one_and_is_forgotten_in_the_end() {
        for (int i = 0; i < Rollups.SERIES_MAX; i++) {
            add("a1", 1, "m" + i, 1, 1);
        }
        nowMs += Rollups.GIVES_WAY_MS + 1;
        add("a1", 2, "m0", 2, 1);
        assertThat(drops).doesNotContainKey("series");
        flush();

        nowMs += Rollups.FORGET_MS + 1;
        flush();
        assertThat(rollups.openSeries()).isZero();
        assertThat(kept).isEmpty();
    }

    @Test
    void a_name_that_no_page_can_show_is_refused() {
        add("a1", 1, "x".repeat(Rollups.NAME_CHARS_MAX + 1), 1, 1);
        add("a1", 1, " ", 1, 1);

        assertThat(flush()).isEmpty();
        assertThat(drops).containsEntry("name", 2L);
    }

    @Test
    void after_a_restart_a_roll_up_goes_on_where_it_was() {
        for (int step = 1; step <= 15; step++) {
            loss(step, step);
            flush();
        }
        var restarted = rollups();
        List.copyOf(kept.values()).forEach(point -> restarted.recall(point, nowMs));
        rollups = restarted;
        loss(3, 100);
        var published = new ArrayList<MetricPoint>(flush());
        for (int step = 16; step <= 20; step++) {
            loss(step, step);
            published.addAll(flush());
        }

        assertThat(at(Window.EACH_STEP, published))
                .extracting(MetricPoint::firstStep)
                .doesNotContain(3L);
        assertThat(at(Window.steps(10), published))
                .filteredOn(p -> p.firstStep() == 10)
                .extracting(MetricPoint::count, MetricPoint::mean)
                .containsExactly(tuple(10L, 14.5));
    }
}
