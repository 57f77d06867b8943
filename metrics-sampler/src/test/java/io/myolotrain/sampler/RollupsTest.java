package io.myolotrain.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Frame;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricPattern;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.SamplingPolicy;
import io.myolotrain.core.sampling.SamplingRules;
import io.myolotrain.core.sampling.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RollupsTest {
    private static final PoolId POOL = new PoolId("pool");
    private static final JobId JOB = new JobId("job");

    private final Map<String, MetricPoint> stored = new TreeMap<>();
    private final Map<String, Long> drops = new TreeMap<>();
    private final List<MetricPoint> published = new ArrayList<>();
    private Rollups rollups = rollups();
    private long nowMs = 1_000_000;
    private long part;

    private Rollups rollups() {
        return new Rollups((origin, reason, count) -> drops.merge(reason, count, Long::sum));
    }

    private void commit() {
        rollups.store(new Rollups.Store() {
            @Override
            public void put(MetricPoint point) {
                stored.put(key(point), point);
            }

            @Override
            public void delete(MetricPoint point) {
                stored.remove(key(point));
            }
        });
    }

    private static String key(MetricPoint point) {
        return point.line() + "/" + point.name() + "/" + point.window() + "/" + point.bucket() + "/" + point.part();
    }

    private void add(JobId job, String attempt, long generation, String name, long step, double value) {
        var line = new Line(POOL, job, attempt, new Generation(generation));
        rollups.add(new Origin(line, step, new WorkerId("w0"), 0, nowMs), name, value, ++part, nowMs);
    }

    private void add(String attempt, long generation, String name, long step, double value) {
        add(JOB, attempt, generation, name, step, value);
    }

    private void loss(long step, double value) {
        add("a1", 1, "train.loss", step, value);
    }

    private List<MetricPoint> flush() {
        nowMs += 100;
        var points = new ArrayList<MetricPoint>();
        rollups.flush(nowMs, points::add);
        published.addAll(points);
        return points;
    }

    private List<MetricPoint> quiet() {
        nowMs += Rollups.QUIET_MS;
        return flush();
    }

    private static List<MetricPoint> at(Window window, List<MetricPoint> points) {
        return points.stream().filter(p -> p.window().equals(window)).toList();
    }

    /** What a reader of the series makes of everything published: newer selves replace, parts add up. */
    private List<MetricPoint> read(Window window) {
        var latest = new TreeMap<String, MetricPoint>();
        at(window, published).forEach(p -> latest.put(key(p), p));
        return List.copyOf(latest.values());
    }

    private static long readings(List<MetricPoint> points) {
        return points.stream().mapToLong(p -> p.count() + p.nonFinite()).sum();
    }

    @Test
    void a_reading_is_published_at_the_next_flush_and_once() {
        loss(7, 0.5);

        assertThat(at(Window.EACH_STEP, flush())).singleElement().satisfies(point -> assertThat(point.last())
                .isEqualTo(0.5));
        assertThat(flush()).isEmpty();
    }

    @Test
    void a_roll_up_is_published_when_the_next_one_begins() {
        for (int step = 1; step <= 20; step++) {
            loss(step, step);
            flush();
        }

        assertThat(at(Window.EACH_STEP, published)).hasSize(20);
        assertThat(at(Window.steps(10), published))
                .extracting(MetricPoint::firstStep, MetricPoint::lastStep, MetricPoint::count)
                .containsExactly(tuple(1L, 9L, 9L), tuple(10L, 19L, 10L));
    }

    @Test
    void a_roll_up_of_a_job_that_has_paused_is_published_as_it_is_and_replaced_when_it_grows() {
        loss(11, 1.0);
        assertThat(at(Window.steps(10), quiet())).extracting(MetricPoint::count).containsExactly(1L);

        loss(12, 3.0);
        quiet();

        assertThat(read(Window.steps(10))).singleElement().satisfies(point -> {
            assertThat(point.count()).isEqualTo(2);
            assertThat(point.mean()).isEqualTo(2.0);
        });
    }

    @Test
    void a_late_reading_joins_its_open_point_or_is_another_part_of_a_closed_one() {
        for (int step = 1; step <= 30; step++) {
            loss(step, step);
            flush();
        }
        loss(29, 100);
        assertThat(at(Window.EACH_STEP, flush())).singleElement().satisfies(point -> {
            assertThat(point.count()).isEqualTo(2);
            assertThat(point.max()).isEqualTo(100);
        });

        loss(2, 200);
        assertThat(at(Window.EACH_STEP, flush())).singleElement().satisfies(point -> {
            assertThat(point.count()).isEqualTo(1);
            assertThat(point.part()).isEqualTo(part);
        });
        quiet();
        assertThat(readings(read(Window.EACH_STEP))).isEqualTo(32);
        assertThat(readings(read(Window.steps(10)))).isEqualTo(32);
        assertThat(readings(read(Window.steps(1_000)))).isEqualTo(32);
        assertThat(drops).isEmpty();
    }

    @Test
    void F07_a_step_that_is_run_again_in_another_generation_or_attempt_has_its_own_points() {
        for (int step = 10; step <= 150; step += 10) {
            loss(step, 1.0);
        }
        for (int step = 110; step <= 200; step += 10) {
            add("a1", 2, "train.loss", step, 2.0);
        }
        add("a2", 1, "train.loss", 110, 3.0);
        flush();
        loss(110, 1.0); // comes late, and belongs to the first generation

        quiet();

        assertThat(read(Window.steps(100)))
                .filteredOn(p -> p.bucket() == 1)
                .extracting(
                        MetricPoint::attempt,
                        p -> p.generation().value(),
                        MetricPoint::count,
                        MetricPoint::min,
                        MetricPoint::max)
                .containsExactlyInAnyOrder(
                        tuple("a1", 1L, 7L, 1.0, 1.0), tuple("a1", 2L, 9L, 2.0, 2.0), tuple("a2", 1L, 1L, 3.0, 3.0));
    }

    @Test
    void F09_no_reading_is_refused_because_its_step_is_smaller_than_one_seen_before() {
        int sent = 0;
        for (int generation = 1; generation <= 4; generation++) {
            for (int step = generation == 1 ? 1 : 110; step <= 161; step++) {
                add("a1", generation, "train.loss", step, generation);
                sent++;
                if (step % 7 == 0) {
                    flush();
                }
            }
        }
        for (int step = 0; step <= 4; step++) {
            add("a1", 4, "validation.loss", step, 1);
            sent++;
        }
        loss(3, 5);
        sent++;
        quiet();

        for (Window window : new SamplingPolicy.Default().windows()) {
            assertThat(readings(read(window))).as(window.toString()).isEqualTo(sent);
        }
        assertThat(drops).isEmpty();
    }

    @Test
    void F10_every_metric_of_a_run_is_cut_at_the_same_place() {
        for (int step = 1; step <= 2; step++) {
            add("a1", 1, "A", step, 1);
        }
        add("a1", 1, "B", 2, 1);
        for (int step = 2; step <= 4; step++) {
            add("a1", 2, "A", step, 2);
        }
        for (int step = 2; step <= 4; step += 2) {
            add("a1", 2, "B", step, 2);
        }
        quiet();

        assertThat(read(Window.EACH_STEP))
                .allSatisfy(p -> assertThat(p.last()).isEqualTo(p.generation().value()));
        assertThat(read(Window.EACH_STEP))
                .filteredOn(p -> p.generation().value() == 2)
                .extracting(MetricPoint::name, MetricPoint::firstStep)
                .containsExactlyInAnyOrder(
                        tuple("A", 2L), tuple("A", 3L), tuple("A", 4L), tuple("B", 2L), tuple("B", 4L));
    }

    @Test
    void F04_forty_of_fifty_nan_are_counted_with_the_first_step_and_each_is_where_it_was() {
        for (int step = 0; step < 50; step++) {
            loss(step, step % 5 == 0 ? 1 : Double.NaN);
            flush();
        }
        loss(50, Double.POSITIVE_INFINITY);
        loss(51, Double.NEGATIVE_INFINITY);
        quiet();

        assertThat(read(Window.steps(100))).singleElement().satisfies(point -> {
            assertThat(point.summary().nans()).isEqualTo(40);
            assertThat(point.summary().positiveInfinities()).isEqualTo(1);
            assertThat(point.summary().negativeInfinities()).isEqualTo(1);
            assertThat(point.summary().firstNonFiniteStep()).isEqualTo(1);
            assertThat(point.min()).isEqualTo(1);
            assertThat(point.max()).isEqualTo(1);
        });
        assertThat(read(Window.EACH_STEP))
                .filteredOn(p -> p.nonFinite() == 1)
                .extracting(MetricPoint::firstStep)
                .hasSize(42)
                .doesNotContain(0L, 5L, 45L);
    }

    @Test
    void F12_a_dip_stays_visible_at_every_resolution_however_many_points_are_thinned_out() {
        for (int step = 0; step < 10_000; step++) {
            loss(step, step == 1_234 ? 0 : 1);
            if (step % 1_000 == 999 || rollups.isFull()) {
                flush();
            }
        }
        for (int step = 10_000; step < 60_000; step++) {
            loss(step, 1);
            if (step % 5_000 == 0 || rollups.isFull()) {
                flush();
            }
        }
        quiet();

        assertThat(drops.get("thinned")).isGreaterThan(50_000);
        for (Window window : new SamplingPolicy.Default().windows()) {
            assertThat(read(window))
                    .as(window.toString())
                    .filteredOn(p -> p.min() == 0)
                    .singleElement()
                    .satisfies(p -> assertThat(p.bucket()).isEqualTo(1_234 / window.width()));
        }
        assertThat(readings(read(Window.steps(10)))).isEqualTo(60_000);
    }

    @Test
    void every_outlier_is_kept_among_many_points() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        var random = new Random(seed);
        var spikes = new ArrayList<Long>();
        for (int step = 0; step < 4_000; step++) {
            boolean spike = step > 100 && step % 501 == 0;
            if (spike) {
                spikes.add((long) step);
            }
            loss(step, spike ? 50 : random.nextGaussian());
            if (step % 200 == 199) {
                flush();
            }
        }
        quiet();

        assertThat(drops).containsKey("thinned");
        assertThat(read(Window.EACH_STEP))
                .filteredOn(p -> p.max() == 50)
                .extracting(MetricPoint::firstStep)
                .containsExactlyInAnyOrderElementsOf(spikes);
    }

    @Test
    void points_of_one_step_are_thinned_beyond_the_rate_and_nothing_is_lost_in_the_roll_ups() {
        for (int step = 1; step <= 200; step++) {
            loss(step, step);
        }
        List<MetricPoint> points = flush();

        assertThat(at(Window.EACH_STEP, points)).hasSizeLessThanOrEqualTo(Rollups.STEPS_PER_FLUSH_MAX);
        assertThat(at(Window.EACH_STEP, points)).extracting(MetricPoint::last).contains(1.0, 200.0);
        assertThat(readings(at(Window.steps(10), points))).isEqualTo(199);
    }

    @Test
    void communication_is_rolled_up_by_time_whatever_the_pace_of_steps() {
        for (int step = 1; step <= 300; step++) {
            add("a1", 1, "comm.allReduceMicros", step, step);
            nowMs += 10;
            rollups.flush(nowMs, published::add);
        }

        assertThat(published).extracting(MetricPoint::window).containsOnly(Window.millis(1_000));
        assertThat(published).extracting(MetricPoint::count).containsExactly(100L, 100L);
    }

    @Test
    void a_policy_change_on_a_running_job_publishes_what_is_open_and_loses_no_reading() {
        for (int step = 1; step <= 15; step++) {
            loss(step, step);
        }
        flush();
        var everyFifth = new SamplingRules.Rule(new MetricPattern("train.*"), new SamplingPolicy.ByStep(5));
        rollups.follow(new SeriesTable.JobKey(POOL, JOB), new SamplingRules(List.of(everyFifth)).beforeStandard());
        for (int step = 16; step <= 30; step++) {
            loss(step, step);
        }
        quiet();

        assertThat(readings(read(Window.steps(10)))).isEqualTo(15);
        assertThat(readings(read(Window.steps(5)))).isEqualTo(15);
        assertThat(readings(read(Window.steps(50)))).isEqualTo(15);
    }

    @Test
    void F01_twelve_thousand_names_of_one_run_have_room_and_nothing_is_dropped() {
        for (int i = 0; i < 12_345; i++) {
            add("a1", 1, "m" + i, 1, i);
            if (rollups.isFull()) {
                flush();
            }
        }
        quiet();

        assertThat(readings(read(Window.EACH_STEP))).isEqualTo(12_345);
        assertThat(drops).isEmpty();
    }

    @Test
    void memory_is_bounded_by_series_and_what_does_not_fit_is_counted() {
        for (int i = 0; i < SeriesTable.SERIES_MAX + 10; i++) {
            add("a1", 1, "m" + i, 1, 1);
        }

        assertThat(rollups.openSeries()).isEqualTo(SeriesTable.SERIES_MAX);
        assertThat(drops).containsEntry("series", 10L);
    }

    @Test
    void a_silent_series_of_the_biggest_job_gives_way_and_nothing_of_it_is_lost() {
        var small = new JobId("small");
        add(small, "a1", 1, "train.loss", 1, 1);
        for (int i = 0; i < SeriesTable.SERIES_MAX - 1; i++) {
            add("a1", 1, "m" + i, 1, 1);
        }
        nowMs += SeriesTable.GIVES_WAY_MS + 1;
        add(small, "a1", 1, "train.lr", 2, 1);
        add(small, "a1", 1, "train.loss", 2, 1);

        quiet();

        assertThat(drops).isEmpty();
        assertThat(rollups.openSeries()).isEqualTo(SeriesTable.SERIES_MAX);
        assertThat(readings(read(Window.EACH_STEP))).isEqualTo(SeriesTable.SERIES_MAX + 2L);
        nowMs += Rollups.FORGET_MS + 1;
        flush();
        assertThat(rollups.openSeries()).isZero();
    }

    @Test
    void a_name_that_no_page_can_show_is_refused() {
        add("a1", 1, "x".repeat(Frame.NAME_CHARS_MAX + 1), 1, 1);
        add("a1", 1, " ", 1, 1);

        assertThat(flush()).isEmpty();
        assertThat(drops).containsEntry("name", 2L);
    }

    @Test
    void the_store_holds_exactly_what_is_not_published_at_a_commit() {
        loss(1, 1);
        commit();
        assertThat(stored.values())
                .extracting(MetricPoint::window)
                .containsExactlyInAnyOrderElementsOf(new SamplingPolicy.Default().windows());

        flush();
        commit();
        assertThat(stored.values())
                .extracting(MetricPoint::window)
                .doesNotContain(Window.EACH_STEP)
                .hasSize(3);

        quiet();
        commit();
        assertThat(stored).isEmpty();
    }

    @Test
    void after_a_restart_a_roll_up_goes_on_where_it_was_and_every_reading_counts_once() {
        for (int step = 1; step <= 15; step++) {
            loss(step, step);
            if (step == 12) {
                flush();
            }
        }
        commit();
        var restarted = rollups();
        List.copyOf(stored.values()).forEach(point -> restarted.recall(point, nowMs));
        rollups = restarted;
        loss(3, 100);
        for (int step = 16; step <= 20; step++) {
            loss(step, step);
        }
        quiet();
        commit();

        for (Window window : new SamplingPolicy.Default().windows()) {
            assertThat(readings(read(window))).as(window.toString()).isEqualTo(21);
        }
        assertThat(read(Window.steps(10)))
                .filteredOn(p -> p.firstStep() == 10)
                .extracting(MetricPoint::count, MetricPoint::mean)
                .containsExactly(tuple(10L, 14.5));
        assertThat(stored).isEmpty();
    }

    @Test
    void a_restart_under_other_rules_publishes_what_was_open_under_the_old_ones() {
        for (int step = 1; step <= 3; step++) {
            loss(step, step);
        }
        commit();
        rollups = rollups();
        var byTime = new SamplingRules.Rule(new MetricPattern("loss"), new SamplingPolicy.ByTime(1_000));
        rollups.follow(new SeriesTable.JobKey(POOL, JOB), new SamplingRules(List.of(byTime)).beforeStandard());
        List.copyOf(stored.values()).forEach(point -> rollups.recall(point, nowMs));
        flush();
        commit();

        assertThat(readings(read(Window.steps(10)))).isEqualTo(3);
        assertThat(stored).isEmpty();
    }
}
