package io.myolotrain.ui.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.myolotrain.core.sampling.AttentionMap;
import io.myolotrain.core.sampling.Histogram;
import io.myolotrain.core.sampling.Histograms;
import io.myolotrain.core.sampling.Matrix;
import io.myolotrain.ui.FrameStories;
import io.myolotrain.ui.PoolStory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameStoreTest {
    private final FrameStore store = new FrameStore();

    /** Case F05: what is finite is binned, what is not is counted, and earlier columns stay as they were. */
    @Test
    void aFaultOfOneStepIsCountedAndSpoilsNoOtherColumn() {
        for (int step = 10; step <= 190; step += 10) {
            store.add(PoolStory.frame(1, step, 0, step, FrameStories.gradients(step)));
        }
        HistogramTrack track = store.histograms(key(FrameStories.GRADIENTS)).orElseThrow();
        HistogramTrack.Heatmap before = track.heatmap(0, 190, 400);
        HistogramTrack.Magnitudes magnitudesBefore = track.magnitudes(3, 0, 190, 400);
        for (int step = 200; step <= 400; step += 10) {
            store.add(PoolStory.frame(1, step, 0, step, FrameStories.gradients(step)));
        }
        assertThat(track.heatmap(0, 190, 400)).isEqualTo(before);
        assertThat(track.magnitudes(3, 0, 190, 400).shares()).isEqualTo(magnitudesBefore.shares());
        HistogramTrack.Heatmap all = track.heatmap(0, Long.MAX_VALUE, 400);
        assertThat(all.layers()).containsExactly(-1, 0, 1, 2, 3, 4);
        assertThat(all.firstSteps()).hasSize(40).startsWith(10L, 20L).endsWith(400L);
        assertThat(all.odd())
                .extracting(
                        o -> all.layers().get(o.row()),
                        o -> all.firstSteps().get(o.column()),
                        HistogramTrack.Odd::nans,
                        HistogramTrack.Odd::positive)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple(2, 200L, 1L, 0L),
                        org.assertj.core.groups.Tuple.tuple(3, 210L, 4_000L, 0L),
                        org.assertj.core.groups.Tuple.tuple(1, 220L, 0L, 3L));
        int allNan = all.firstSteps().indexOf(210L);
        assertThat(all.norms().get(4).get(allNan)).isNull();
        assertThat(all.norms().get(3).get(all.firstSteps().indexOf(200L))).isNotNull();
        HistogramTrack.Magnitudes layer = track.magnitudes(3, 0, Long.MAX_VALUE, 400);
        assertThat(layer.finite().get(allNan)).isZero();
        assertThat(layer.odd()).singleElement().satisfies(o -> assertThat(o.finite())
                .isZero());
    }

    @Test
    void theNormIsTheOneToldAndElseCloseToIt() {
        var random = new Random(5);
        long[] counts = new long[Histogram.BUCKETS];
        double squares = 0;
        for (int i = 0; i < 100_000; i++) {
            double value = random.nextGaussian() * 0.01;
            squares += value * value;
            counts[Math.getExponent(value) - Histogram.LOWEST_EXPONENT]++;
        }
        var of = new ArrayList<Long>();
        for (long count : counts) {
            of.add(count);
        }
        assertThat(norm(new Histogram(0, 0, of, 0, 0, 0, 0, 0.05, squares)))
                .as("told exactly")
                .isEqualTo(Math.sqrt(squares));
        assertThat(norm(new Histogram(0, 0, of, 0, 0, 0, 0, 0.05, Double.NaN)) / Math.sqrt(squares))
                .as("estimated from the buckets, for logs of a release that did not tell it")
                .isEqualTo(1, within(0.15));
    }

    private double norm(Histogram histogram) {
        store.add(PoolStory.frame(1, 1, 0, 1, new Histograms("g", List.of(histogram))));
        return store.histograms(key("g"))
                .orElseThrow()
                .heatmap(0, 9, 9)
                .norms()
                .get(0)
                .get(0);
    }

    @Test
    void manyStepsAreThinnedButNoFaultIsForgotten() {
        for (int step = 1; step <= 10_000; step++) {
            var histogram = new Histogram(0, 40, List.of(5L), 0, step == 1_235 ? 1 : 0, 0, 0, 1, 5);
            store.add(PoolStory.frame(1, step, 0, step, new Histograms("g", List.of(histogram))));
        }
        HistogramTrack track = store.histograms(key("g")).orElseThrow();
        assertThat(store.list("demo", "a1").get(0).steps()).isLessThanOrEqualTo(HistogramTrack.STEPS_MAX);
        HistogramTrack.Heatmap map = track.heatmap(0, Long.MAX_VALUE, 100);
        assertThat(map.firstSteps()).hasSizeLessThanOrEqualTo(100);
        assertThat(map.odd()).singleElement().satisfies(o -> {
            assertThat(map.firstSteps().get(o.column())).isLessThanOrEqualTo(1_235L);
            assertThat(map.lastSteps().get(o.column())).isGreaterThanOrEqualTo(1_235L);
        });
        assertThat(map.thinnedTo()).isGreaterThan(1);
    }

    @Test
    void aStepThatIsRunAgainReplacesItsPictures() {
        store.add(PoolStory.frame(1, 50, 0, 1, matrix(1)));
        store.add(PoolStory.frame(2, 50, 0, 2, matrix(2)));
        store.add(PoolStory.frame(1, 50, 0, 3, matrix(3)));
        MatrixTrack.View view =
                store.matrices(key("m")).orElseThrow().view(50, null, 0, 128).orElseThrow();
        assertThat(view.generation()).isEqualTo(2);
        assertThat(view.values().get(0)).containsExactly(2.0, 2.0);
    }

    @Test
    void deadHeadsAreNamedAndADifferenceIsExact() {
        FrameStories.all().forEach(store::add);
        MatrixTrack track = store.matrices(key(FrameStories.HEADS)).orElseThrow();
        MatrixTrack.View view = track.view(Long.MAX_VALUE, null, 0, 128).orElseThrow();
        assertThat(view.step()).isEqualTo(400);
        assertThat(view.dead()).containsExactly(List.of(3, 5));
        assertThat(view.values().get(11).get(7)).isNull();
        assertThat(view.steps()).hasSize(8);
        MatrixTrack.View difference = track.view(400, 399L, 0, 128).orElseThrow();
        assertThat(difference.minusStep()).isEqualTo(350);
        assertThat(difference.values().get(2).get(1))
                .isEqualTo((double) at(FrameStories.heads(400), 2, 1) - at(FrameStories.heads(350), 2, 1));
    }

    /** Case F15: 1,024 layers × 64 heads are paged and reduced here, and a lone value stays visible. */
    @Test
    void aLargeMatrixIsPagedAndReduced() {
        var values = new ArrayList<>(Collections.nCopies(1_024 * 64, 0.5f));
        values.set(777 * 64 + 3, 9f);
        store.add(PoolStory.frame(1, 1, 0, 1, new Matrix("big", 1_024, 64, values)));
        MatrixTrack track = store.matrices(key("big")).orElseThrow();
        MatrixTrack.View whole = track.view(1, null, 0, 1_024).orElseThrow();
        assertThat(whole.values()).hasSize(128);
        assertThat(whole.cellRows()).isEqualTo(8);
        assertThat(whole.values().get(777 / 8).get(3)).isEqualTo(9);
        MatrixTrack.View page = track.view(1, null, 768, 128).orElseThrow();
        assertThat(page.cellRows()).isEqualTo(1);
        assertThat(page.values().get(777 - 768).get(3)).isEqualTo(9);
    }

    /** Cases F15 and F16. */
    @Test
    void anAttentionMapIsReducedLabelledAndKnowsItsPadding() {
        FrameStories.all().forEach(store::add);
        AttentionTrack track = store.attention(key(FrameStories.ATTENTION)).orElseThrow();
        AttentionTrack.View view = track.view("", 1, 2).orElseThrow();
        assertThat(view.positions()).isEqualTo(1_024);
        assertThat(view.padding()).isEqualTo(48);
        assertThat(view.cell()).isEqualTo(8);
        assertThat(view.weights()).hasSize(128).allMatch(row -> row.size() == 128);
        assertThat(view.weights().get(700 / 8).get(0)).as("the lone link").isEqualTo(0.9f);
        assertThat(track.view("", 0, 0)).isEmpty();
        store.add(PoolStory.frame(
                1, 401, 0, 1, new AttentionMap(FrameStories.ATTENTION, "r1", 0, 0, 0, List.of(), 1, List.of())));
        assertThat(track.view("r1", null, null).orElseThrow().positions()).isZero();
        for (int i = 0; i < 100; i++) {
            store.add(PoolStory.frame(1, i, 0, 1, FrameStories.attention("x" + i, 0, 0, 8, 8)));
        }
        assertThat(track.view("", 0, 0).orElseThrow().known()).hasSize(AttentionTrack.MAPS_MAX);
    }

    @Test
    void theTimelineKnowsWhoCameLastAndWhatWasExposed() {
        FrameStories.all().forEach(store::add);
        Timeline timeline = store.spans(key(FrameStories.SPANS)).orElseThrow().timeline(Long.MAX_VALUE, 3);
        assertThat(timeline.steps()).extracting(Timeline.Step::step).containsExactly(398L, 399L, 400L);
        assertThat(timeline.spans()).hasSize(3 * 4 * 7);
        assertThat(timeline.stragglers()).singleElement().satisfies(straggler -> {
            assertThat(straggler.rank()).isEqualTo(2);
            assertThat(straggler.worker()).isEqualTo("w3");
        });
        assertThat(timeline.slowest().operation()).isEqualTo("ALL_REDUCE");
        assertThat(timeline.slowest().micros()).isEqualTo(7_000);
        assertThat(timeline.slowest().waitMicros()).isEqualTo(3_000);
        Timeline.Lane first = timeline.ranks().get(0);
        assertThat(first.communicationMicros()).isEqualTo(3 * 10_500);
        assertThat(first.exposedMicros()).isEqualTo(3 * 6_500);
        assertThat(first.exposedShare()).isEqualTo(6_500 / 34_500.0, within(1e-9));
        assertThat(first.stepMicros()).isEqualTo(3 * 34_500);
    }

    @Test
    void aTraceHoldsEverySpanWithItsRankAndTime() {
        FrameStories.all().forEach(store::add);
        Timeline timeline = store.spans(key(FrameStories.SPANS)).orElseThrow().timeline(400, 2);
        TraceEvents trace = TraceEvents.of("demo", timeline);
        assertThat(trace.traceEvents()).hasSize(1 + 4 + 2 * 4 * 7);
        assertThat(trace.traceEvents()).filteredOn(e -> e.get("ph").equals("X")).allSatisfy(e -> {
            assertThat((long) e.get("dur")).isGreaterThanOrEqualTo(0);
            assertThat((long) e.get("ts")).isGreaterThan(1_000_000_000L);
        });
    }

    @Test
    void namesAreBoundedAndCounted() {
        for (int i = 0; i < FrameStore.TRACKS_MAX + 5; i++) {
            store.add(PoolStory.frame(1, 1, 0, 1, new Matrix("m" + i, 1, 1, List.of(1f))));
        }
        assertThat(store.list("demo", "a1")).hasSize(FrameStore.TRACKS_MAX);
        assertThat(store.notKept()).isEqualTo(5);
    }

    private static Matrix matrix(float value) {
        return new Matrix("m", 1, 2, List.of(value, value));
    }

    private static float at(Matrix matrix, int row, int column) {
        return matrix.values().get(row * matrix.columns() + column);
    }

    private static FrameStore.Key key(String name) {
        return new FrameStore.Key("demo", "a1", name);
    }
}
