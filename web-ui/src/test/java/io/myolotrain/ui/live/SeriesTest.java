package io.myolotrain.ui.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Summary;
import io.myolotrain.core.sampling.Window;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SeriesTest {
    private static final int CAPACITY = 128;
    private final Cuts cuts = new Cuts();
    private final Series series = new Series(cuts);

    @Test
    void keepsEveryReadingWhileTheyFit() {
        for (int step = 1; step <= CAPACITY; step++) {
            add(step, step * 0.5, 1);
        }
        SeriesWindow window = all(CAPACITY);
        assertThat(window.bucketSteps()).isEqualTo(1);
        assertThat(window.main()).hasSize(CAPACITY).allMatch(b -> b.count() == 1 && b.min() == b.lastStep() * 0.5);
    }

    @Test
    void minimumAndMaximumOfEveryBucketAreExactForAnySeed() {
        for (long seed = 0; seed < 20; seed++) {
            var random = new Random(seed);
            var of = new Series(new Cuts());
            int steps = 1_000 + random.nextInt(9_000);
            double[] values = new double[steps];
            for (int step = 0; step < steps; step++) {
                values[step] = random.nextGaussian();
                of.add(Bucket.of(step, values[step], 1, step), CAPACITY);
            }
            SeriesWindow window = of.window(0, Long.MAX_VALUE, 50);
            assertThat(window.main()).as("seed %d", seed).hasSizeLessThanOrEqualTo(50);
            long covered = 0;
            for (Bucket bucket : window.main()) {
                double min = Double.POSITIVE_INFINITY;
                double max = Double.NEGATIVE_INFINITY;
                for (long step = bucket.firstStep(); step <= bucket.lastStep(); step++) {
                    min = Math.min(min, values[(int) step]);
                    max = Math.max(max, values[(int) step]);
                }
                assertThat(bucket.min()).as("seed %d, bucket %s", seed, bucket).isEqualTo(min);
                assertThat(bucket.max()).as("seed %d, bucket %s", seed, bucket).isEqualTo(max);
                assertThat(bucket.last()).as("seed %d", seed).isEqualTo(values[(int) bucket.lastStep()]);
                covered += bucket.count();
            }
            assertThat(covered).as("seed %d", seed).isEqualTo(steps);
        }
    }

    /** Case F12: one dip in 10,000 points, then 50,000 more. */
    @Test
    void aSingleDipStaysVisibleHoweverLongTrainingGoesOn() {
        for (int step = 1; step <= 10_000; step++) {
            add(step, step == 1_234 ? 0 : 1, 1);
        }
        assertThat(lowest(series.window(0, 10_000, 200))).isZero();
        List<Bucket> before = series.window(1_000, 1_500, 1_000).main();
        assertThat(before.stream().mapToDouble(Bucket::min).min()).hasValue(0);
        for (int step = 10_001; step <= 60_000; step++) {
            add(step, 1, 1);
        }
        assertThat(lowest(series.window(0, Long.MAX_VALUE, 200))).isZero();
        assertThat(series.size()).isLessThanOrEqualTo(CAPACITY);
    }

    @Test
    void theSameRangeShowsTheSamePictureInWhateverOrderItsReadingsCame() {
        var other = new Series(new Cuts());
        for (int step = 0; step < 5_000; step++) {
            add(step, Math.sin(step), 1);
            int shuffled = (int) ((step * 2_654_435_761L) % 5_000);
            other.add(Bucket.of(shuffled, Math.sin(shuffled), 1, shuffled), CAPACITY);
        }
        List<Bucket> forward = all(64).main();
        List<Bucket> shuffled = other.window(0, Long.MAX_VALUE, 64).main();
        assertThat(shuffled)
                .extracting(Bucket::firstStep)
                .isEqualTo(forward.stream().map(Bucket::firstStep).toList());
        assertThat(shuffled)
                .extracting(Bucket::min)
                .isEqualTo(forward.stream().map(Bucket::min).toList());
        assertThat(shuffled)
                .extracting(Bucket::max)
                .isEqualTo(forward.stream().map(Bucket::max).toList());
    }

    /** Case F04. */
    @Test
    void whatIsNotFiniteIsCountedAndNeverDrawn() {
        for (int step = 1; step <= 50; step++) {
            add(step, step % 5 == 0 ? 1 : Double.NaN, 1);
        }
        add(51, Double.POSITIVE_INFINITY, 1);
        add(52, Double.NEGATIVE_INFINITY, 1);
        SeriesWindow window = all(CAPACITY);
        assertThat(window.readings()).isEqualTo(52);
        assertThat(window.nonFinite()).isEqualTo(42);
        assertThat(window.firstNonFiniteStep()).isEqualTo(1);
        assertThat(Columns.of(window.main()).last())
                .filteredOn(v -> !Double.isNaN(v))
                .hasSize(10)
                .containsOnly(1.0);
        Bucket merged = series.window(0, Long.MAX_VALUE, 1).main().get(0);
        assertThat(merged.min()).isEqualTo(1);
        assertThat(merged.max()).isEqualTo(1);
        assertThat(merged.nonFinite()).isEqualTo(42);
    }

    /** Case F07: resume from 100 after 150. */
    @Test
    void stepsThatARunAbandonedBecomeAFaintBranchAndAreNotMixed() {
        for (int step = 10; step <= 150; step += 10) {
            add(step, 1, 1);
        }
        cuts.add(2, 101);
        series.applyCuts();
        for (int step = 110; step <= 200; step += 10) {
            add(step, 2, 2);
        }
        SeriesWindow window = all(CAPACITY);
        assertThat(window.main())
                .extracting(Bucket::lastStep)
                .isSorted()
                .doesNotHaveDuplicates()
                .hasSize(20);
        assertThat(window.main()).filteredOn(b -> b.lastStep() <= 100).allMatch(b -> b.last() == 1);
        assertThat(window.main()).filteredOn(b -> b.lastStep() > 100).allMatch(b -> b.min() == 2 && b.max() == 2);
        assertThat(window.abandoned()).extracting(Bucket::lastStep).containsExactly(110L, 120L, 130L, 140L, 150L);
    }

    @Test
    void aLateReadingOfAnAbandonedStepJoinsTheFaintBranch() {
        add(100, 1, 1);
        cuts.add(2, 101);
        add(101, 2, 2);
        add(102, 9, 1);
        assertThat(all(CAPACITY).main()).extracting(Bucket::last).containsExactly(1.0, 2.0);
        assertThat(all(CAPACITY).abandoned()).extracting(Bucket::last).containsExactly(9.0);
    }

    @Test
    void aRollUpThatIsToldAgainReplacesTheOneBefore() {
        series.add(Bucket.of(point(0, 9, 4, 1.0)), CAPACITY);
        series.add(Bucket.of(point(0, 9, 10, 0.5)), CAPACITY);
        SeriesWindow window = all(CAPACITY);
        assertThat(window.readings()).isEqualTo(10);
        assertThat(window.main()).singleElement().extracting(Bucket::min).isEqualTo(0.5);
    }

    @Test
    void aPointThatGrowsWhileItIsOpenIsCountedOnce() {
        series.add(Bucket.of(part(7, 20, 23, 4, 1.0)), CAPACITY);
        series.add(Bucket.of(part(7, 20, 29, 10, 0.5)), CAPACITY);
        assertThat(all(CAPACITY).readings()).isEqualTo(10);
        assertThat(all(CAPACITY).main()).singleElement().extracting(Bucket::min).isEqualTo(0.5);
    }

    /** Ranks report a step at different times: what comes when its point is closed is another part of it. */
    @Test
    void partsOfOnePointAddUpAndEachMayBeToldAgain() {
        series.add(Bucket.of(part(7, 20, 20, 1, -5.0)), CAPACITY);
        series.add(Bucket.of(part(8, 20, 20, 1, 0.5)), CAPACITY);
        assertThat(all(CAPACITY).readings()).isEqualTo(2);
        series.add(Bucket.of(part(8, 20, 20, 3, 0.25)), CAPACITY);
        series.add(Bucket.of(part(9, 20, 20, 2, 0.75)), CAPACITY);
        assertThat(all(CAPACITY).readings()).isEqualTo(6);
        assertThat(all(CAPACITY).main()).singleElement().satisfies(bucket -> {
            assertThat(bucket.min()).isEqualTo(-5.0);
            assertThat(bucket.count()).isEqualTo(6);
        });
    }

    @Test
    void manySeriesShareOneBudget() {
        int budget = 4_096;
        var store = new SeriesStore(budget);
        for (int name = 0; name < 64; name++) {
            for (int step = 0; step < 500; step++) {
                store.add(new SeriesKey("demo", "a1", "metric." + name), Bucket.of(step, step, 1, step));
            }
        }
        int kept =
                store.of("demo", "a1").values().stream().mapToInt(Series::size).sum();
        assertThat(kept).isLessThanOrEqualTo(budget);
        assertThat(store.of("demo", "a1")).hasSize(64);
        assertThat(store.of("demo", "a")).isEmpty();
    }

    @Test
    void aLongSeriesKeepsItsDetailBesideManyShortOnes() {
        var store = new SeriesStore(100_000);
        for (int name = 0; name < 12_345; name++) {
            store.add(new SeriesKey("demo", "a1", "metric." + name), Bucket.of(1, name, 1, 1));
        }
        for (int step = 0; step < 1_000_000; step++) {
            store.add(new SeriesKey("demo", "a1", "long"), Bucket.of(step, step == 123_456 ? -1 : 1, 1, step));
        }
        SeriesWindow window = store.get(new SeriesKey("demo", "a1", "long")).window(0, Long.MAX_VALUE, 1_280);
        assertThat(window.main()).hasSizeBetween(640, 1_280);
        assertThat(lowest(window)).isEqualTo(-1);
        assertThat(window.readings()).isEqualTo(1_000_000);
    }

    private void add(long step, double value, long generation) {
        series.add(Bucket.of(step, value, generation, step), CAPACITY);
    }

    private SeriesWindow all(int points) {
        return series.window(0, Long.MAX_VALUE, points);
    }

    private static double lowest(SeriesWindow window) {
        return window.main().stream().mapToDouble(Bucket::min).min().orElseThrow();
    }

    private static MetricPoint point(long first, long last, long count, double min) {
        return point(Window.steps(last - first + 1), 0, first, last, count, min);
    }

    /** Of roll-ups over ten steps. */
    private static MetricPoint part(long part, long first, long last, long count, double min) {
        return point(Window.steps(10), part, first, last, count, min);
    }

    private static MetricPoint point(Window window, long part, long first, long last, long count, double min) {
        var line = new Line(new PoolId("default"), new JobId("demo"), "a1", new Generation(1));
        var summary = new Summary(min, 1, 1, 1, count, 0, 0, 0, -1);
        return new MetricPoint(line, "comm.allreduce.micros", window, part, first, last, 1, 2, summary);
    }
}
