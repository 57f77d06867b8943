package io.myolotrain.cli.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.core.sampling.Summary;
import io.myolotrain.core.sampling.Window;
import io.myolotrain.ui.UiOptions;
import io.myolotrain.ui.UiServer;
import io.myolotrain.ui.port.ChangePublisher;
import io.myolotrain.ui.port.ClusterFeed;
import io.myolotrain.ui.port.LogArchive;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The web UI through a real browser: server and browser are what a person uses, the feed is in memory, so that what is
 * measured is the page and its server and not a broker.
 */
final class UiBench implements Bench {
    static final int NAMES = 12_345;
    static final long POINTS = 10_000_000;
    private static final int FILTER_ROUNDS = 20;
    private static final int SERIES_ROUNDS = 7;
    private static final int LIVE_STEPS = 150;
    private static final long LIVE_EVERY_MS = 150;
    /** An hour at 20 steps a second. */
    private static final int HOUR_STEPS = 72_000;

    private static final int HOUR_BATCH = 400;
    private static final long HOUR_BATCH_EVERY_MS = 120; // longer than the server waits before it tells open pages
    private static final int BATCH = 1_024;
    private static final PoolId POOL = new PoolId("bench");
    private static final JobId JOB = new JobId("bench");
    private static final String ATTEMPT = LabGpt.ATTEMPT;
    private static final Line LINE = new Line(POOL, JOB, ATTEMPT, new Generation(1));
    private static final String LONG = "long.series";

    @Override
    public String name() {
        return "ui";
    }

    @Override
    public String about() {
        return "the web UI in chromium: 12,345 names filtered, 10 million points drawn, step to screen, heap, first page";
    }

    @Override
    public Map<String, Double> run(Consumer<String> progress) throws Exception {
        Chromium.executable(); // before anything is started
        var figures = new LinkedHashMap<String, Double>();
        var feed = new Feed();
        try (UiServer server = UiServer.start(feed, new Nobody(), new Nothing(), UiOptions.loopback(0, POOL));
                Chromium page = Chromium.start()) {
            feed.begin();
            firstPage(page, server, figures);
            progress.accept("feeding " + NAMES + " metric names");
            names(feed);
            filter(page, server, figures, progress);
            progress.accept("feeding a series of " + POINTS + " points");
            longSeries(feed);
            series(page, server, figures, progress);
            progress.accept("measuring from step to screen");
            live(page, server, feed, figures);
            progress.accept("an hour of live updates, compressed");
            heap(page, feed, figures);
        }
        return figures;
    }

    private static void firstPage(Chromium page, UiServer server, Map<String, Double> figures)
            throws InterruptedException {
        page.open(server.address());
        page.await("document.querySelector('[data-job]') && document.querySelector('.pill.good')");
        double bytes = page.evaluate("performance.getEntriesByType('resource').concat("
                        + "performance.getEntriesByType('navigation')).reduce((sum, e) => sum + e.transferSize, 0)")
                .asDouble();
        figures.put("firstPageKilobytes", bytes / 1_024);
    }

    private static void names(Feed feed) throws InterruptedException {
        var points = new ArrayList<ClusterFeed.Item>();
        for (int i = 0; i < NAMES; i++) {
            points.add(new ClusterFeed.Measured(point(name(i), 1, i)));
        }
        feed.emit(points);
    }

    private static String name(int i) {
        return String.format(Locale.ROOT, "layer.%02d.head.%05d.norm", i % 12, i);
    }

    /** From the key that is pressed to the names that match on the screen. */
    private static void filter(Chromium page, UiServer server, Map<String, Double> figures, Consumer<String> progress)
            throws InterruptedException {
        page.open(server.address() + "#/jobs/bench/metrics");
        page.await("document.querySelector('[data-total]')?.dataset.total >= " + NAMES);
        var millis = new ArrayList<Double>();
        for (int round = -2; round < FILTER_ROUNDS; round++) {
            String number = String.format(Locale.ROOT, "%03d", 100 + round * 7);
            long matches = java.util.stream.IntStream.range(0, NAMES)
                    .filter(i -> name(i).contains(number))
                    .count();
            double taken = page.evaluate("(async () => { const box = document.querySelector('input[name=q]');"
                            + " const begin = performance.now(); box.value = '" + number + "';"
                            + " box.dispatchEvent(new Event('input', { bubbles: true }));"
                            + " while (document.querySelector('[data-total]').dataset.total !== '" + matches
                            + "' || !document.querySelector('.metric-name')?.textContent.includes('" + number + "'))"
                            + " await new Promise(requestAnimationFrame);"
                            + " await new Promise(requestAnimationFrame); return performance.now() - begin; })()")
                    .asDouble();
            if (round >= 0) {
                millis.add(taken);
            }
        }
        figures.put("filterMillis", Medians.of(millis));
        progress.accept(String.format(Locale.ROOT, "filtered in %.0f ms", figures.get("filterMillis")));
    }

    private static void longSeries(Feed feed) throws InterruptedException {
        var batch = new ArrayList<ClusterFeed.Item>(BATCH);
        for (long step = 1; step <= POINTS; step++) {
            batch.add(new ClusterFeed.Measured(point(LONG, step, value(step))));
            if (batch.size() == BATCH || step == POINTS) {
                feed.emit(batch);
                batch.clear();
            }
        }
    }

    /** A wave with noise and rare spikes that only an exact minimum and maximum shows. */
    static double value(long step) {
        long mixed = (step * 0x9E3779B97F4A7C15L) ^ (step >>> 7);
        double noise = (mixed >>> 11) / (double) (1L << 53);
        return Math.sin(step / 1e6) + noise + (mixed % 1_000_003 == 0 ? 40 : 0);
    }

    /** From the wish to the picture; the picture's extremes must be those of the points. */
    private static void series(Chromium page, UiServer server, Map<String, Double> figures, Consumer<String> progress)
            throws InterruptedException {
        page.open(server.address() + "#/jobs/bench/metrics");
        page.await("document.querySelector('[data-total]')?.dataset.total > " + NAMES);
        var millis = new ArrayList<Double>();
        for (int round = -1; round < SERIES_ROUNDS; round++) { // the first one loads the chart library
            double taken = page.evaluate("(async () => { const begin = performance.now();"
                            + " location.hash = '#/jobs/bench/metrics?name=" + LONG + "';"
                            + " while (!(document.querySelector('.metric-full .plot')?.dataset.points > 0))"
                            + " await new Promise(requestAnimationFrame);"
                            + " await new Promise(requestAnimationFrame); return performance.now() - begin; })()")
                    .asDouble();
            if (round >= 0) {
                millis.add(taken);
            }
            if (round < SERIES_ROUNDS - 1) {
                page.evaluate("location.hash = '#/jobs/bench/metrics'");
                page.await("!document.querySelector('.metric-full')");
            }
        }
        JsonNode main = page.evaluate("(() => { const { main } = document.querySelector('.metric-full .plot').chart"
                + ".props.runs[0].view; return { first: main.firstSteps, last: main.steps, min: main.min,"
                + " max: main.max }; })()");
        verify(main);
        figures.put("seriesMillis", Medians.of(millis));
        figures.put("seriesColumns", (double) main.path("first").size());
        progress.accept(String.format(
                Locale.ROOT,
                "drawn in %.0f ms as %d columns, each with the exact minimum and maximum of its points",
                figures.get("seriesMillis"),
                main.path("first").size()));
    }

    private static void verify(JsonNode main) {
        long next = 1;
        for (int column = 0; column < main.path("first").size(); column++) {
            long first = main.path("first").get(column).asLong();
            long last = main.path("last").get(column).asLong();
            double min = Double.POSITIVE_INFINITY;
            double max = Double.NEGATIVE_INFINITY;
            for (long step = first; step <= last; step++) {
                min = Math.min(min, value(step));
                max = Math.max(max, value(step));
            }
            if (first != next
                    || min != main.path("min").get(column).asDouble()
                    || max != main.path("max").get(column).asDouble()) {
                throw new IllegalStateException("a column holds the exact extremes of its points: column=" + column
                        + " steps=" + first + ".." + last);
            }
            next = last + 1;
        }
        if (next != POINTS + 1) {
            throw new IllegalStateException("the columns hold every point: last=" + (next - 1));
        }
    }

    /** From a decision that is told to the server to the frame in which figure and curve show its step. */
    private static void live(Chromium page, UiServer server, Feed feed, Map<String, Double> figures)
            throws InterruptedException {
        page.open(server.address() + "#/jobs/bench");
        feed.step();
        page.await("document.querySelector('.plot')?.dataset.points > 0");
        page.evaluate("""
                (() => { window.seen = {};
                  const look = () => {
                    const shown = Number(/step ([\\d,]+)/.exec(document.querySelector('.figure-detail')?.textContent)?.[1].replaceAll(',', ''));
                    const drawn = document.querySelector('.plot')?.chart?.data[0].at(-1);
                    const step = Math.min(shown, drawn);
                    if (step && !window.seen[step]) window.seen[step] = performance.timeOrigin + performance.now();
                    requestAnimationFrame(look);
                  };
                  look(); })()""");
        var told = new TreeMap<Long, Double>();
        for (int i = 0; i < LIVE_STEPS; i++) {
            told.put(feed.nextStep(), ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) / 1e3);
            feed.step();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LIVE_EVERY_MS));
        }
        page.await("window.seen[" + told.lastKey() + "]");
        JsonNode seen = page.evaluate("window.seen");
        var millis = new ArrayList<Double>();
        told.forEach((step, at) -> {
            for (long later = step; later <= told.lastKey(); later++) { // two steps may share a frame
                if (seen.has(Long.toString(later))) {
                    millis.add(seen.get(Long.toString(later)).asDouble() - at);
                    return;
                }
            }
        });
        double[] sorted =
                millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        figures.put("liveP50Millis", sorted[sorted.length / 2]);
        figures.put("liveP95Millis", sorted[sorted.length * 95 / 100]);
    }

    private static void heap(Chromium page, Feed feed, Map<String, Double> figures) throws InterruptedException {
        hour(page, feed, HOUR_STEPS / 10); // lists and charts fill up to their bounds
        double before = page.heapBytes();
        hour(page, feed, HOUR_STEPS);
        double after = page.heapBytes();
        figures.put("heapMegabytes", after / 1e6);
        figures.put("heapGrowthPercent", 100 * (after - before) / before);
    }

    private static void hour(Chromium page, Feed feed, int steps) throws InterruptedException {
        for (int told = 0; told < steps; told += HOUR_BATCH) {
            for (int i = 0; i < HOUR_BATCH; i++) {
                feed.step();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(HOUR_BATCH_EVERY_MS));
        }
        page.await("Math.min(document.querySelector('.plot').chart.data[0].at(-1)) >= " + feed.lastStep());
    }

    private static MetricPoint point(String name, long step, double value) {
        return new MetricPoint(LINE, name, Window.EACH_STEP, 0, step, step, step, step, Summary.of(step, value));
    }

    /** A pool with one running job, in memory. */
    private static final class Feed implements ClusterFeed {
        private Sink sink = batch -> {};
        private long offset;
        private final AtomicLong step = new AtomicLong();

        @Override
        public void start(Sink to, Optional<Reached> reached) {
            sink = to;
        }

        @Override
        public Source source() {
            return new Source("memory", "memory", List.of("decisions", "metric-series"));
        }

        /** All of it was emitted before; told on a thread of its own, because the one that asks takes items in. */
        @Override
        public void open(Run run, long sinceMs, long untilMs) {
            var unused = CompletableFuture.runAsync(() -> {
                try {
                    sink.accept(List.of(new RunReading(run, step.get(), true, "")));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        @Override
        public void close() {}

        void emit(List<Item> items) throws InterruptedException {
            for (int from = 0; from < items.size(); from += BATCH) {
                sink.accept(items.subList(from, Math.min(items.size(), from + BATCH)));
            }
        }

        void begin() throws InterruptedException {
            decide(new Fact.JobAccepted(spec()));
            decide(new Fact.PhaseChanged(JOB, JobPhase.WAITING, JobPhase.RUNNING, "measured"));
            emit(List.of(new Position("", new TreeMap<>())));
        }

        void step() throws InterruptedException {
            long now = step.incrementAndGet();
            decide(new Fact.ProgressRecorded(JOB, new Generation(1), now, now * 32, 2 + Math.sin(now / 50.0)));
        }

        long nextStep() {
            return step.get() + 1;
        }

        long lastStep() {
            return step.get();
        }

        private void decide(Fact fact) throws InterruptedException {
            var decision = new Decision(
                    offset++, "event-" + offset, System.currentTimeMillis(), "bench", "0".repeat(64), List.of(fact));
            emit(List.of(new Decided(POOL, decision, new Place(0, decision.offset()))));
        }
    }

    /** Nobody asks for anything here. */
    private static final class Nobody implements ChangePublisher {
        @Override
        public CompletionStage<Void> publish(PoolId pool, String eventId, Event.ConfigChangeRequested request) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException("a benchmark changes nothing"));
        }

        @Override
        public CompletionStage<Void> ask(PoolId pool, String eventId, SamplingRequest request) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException("a benchmark asks nothing"));
        }

        @Override
        public void close() {}
    }

    /** Nothing was written here. */
    private static final class Nothing implements LogArchive {
        @Override
        public <T> CompletionStage<T> read(Function<Records, T> reading) {
            return CompletableFuture.failedFuture(new IllegalStateException("a benchmark has no log"));
        }

        @Override
        public void close() {}
    }

    private static JobSpec spec() {
        var shape = new ModelShape(ModelShape.Family.GPT, 12, 768, 12, 1_024, 50_257, 1, 0);
        return LabGpt.spec(shape, JOB.value(), POOL, Path.of("none"), 4, 32, 4, 2, 0);
    }
}
