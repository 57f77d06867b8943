package io.myolotrain.sampler;

import io.myolotrain.core.sampling.Frame;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.SamplingRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Rolls single values up at the resolutions of their policy.
 *
 * <pre>
 *   reading ─> open point of each resolution ── complete or quiet ──> published
 *                        └── a commit comes first ──> stored ── published ──> deleted
 * </pre>
 *
 * Bounded: series by {@link SeriesTable}, a series by a handful of open points, and points that were opened since the last
 * flush by {@link #OPENED_MAX}. Used by one thread.
 */
final class Rollups {
    /** With a flush each 100 ms, 200 points a second: more than a screen can show. */
    static final int STEPS_PER_FLUSH_MAX = 20;
    /** Even among very many series each has room for its newest point and both extremes. */
    static final int STEPS_PER_FLUSH_MIN = 4;
    /** Points of one step that all series may publish at a flush before each must do with fewer. */
    static final int STEPS_OF_ALL_MAX = 4_096;
    /** Beyond it a flush does not wait for its time. */
    static final int OPENED_MAX = 50_000;
    /** The same for one series. */
    static final int OPENED_OF_ONE_MAX = 4_096;
    /** A roll-up that gets no more readings is published as it is after this time. */
    static final long QUIET_MS = 1_000;
    /** A series that is silent for longer is let go. */
    static final long FORGET_MS = 600_000;

    private static final long FORGET_EVERY_MS = 10_000;

    private final Drops drops;
    private final SeriesTable table = new SeriesTable(this::publishAll);
    private final List<OpenSeries> listed = new ArrayList<>();
    private final List<MetricPoint> outgoing = new ArrayList<>();
    private final List<MetricPoint> stale = new ArrayList<>();
    private int opened;
    private boolean full;
    private long forgottenAtMs;

    /** Told of every reading or point that is not kept, by reason. */
    interface Drops {
        void dropped(Origin origin, String reason, long count);
    }

    /** Where open points outlive a restart. */
    interface Store {
        void put(MetricPoint point);

        void delete(MetricPoint point);
    }

    Rollups(Drops drops) {
        this.drops = drops;
    }

    void follow(SeriesTable.JobKey job, SamplingRules rules) {
        table.follow(job, rules);
    }

    SamplingRules rules(Line line) {
        return table.rules(SeriesTable.JobKey.of(line));
    }

    void recall(MetricPoint point, long nowMs) {
        OpenSeries series = table.openAlways(point.line(), point.name());
        series.heardAtMs = nowMs;
        if (series.recall(point)) {
            list(series);
        } else { // the job follows other rules since
            outgoing.add(point);
            stale.add(point);
        }
    }

    /** @param part position of the reading in the log of readings */
    void add(Origin origin, String name, double value, long part, long nowMs) {
        if (name.isBlank()
                || name.length() > Frame.NAME_CHARS_MAX
                || origin.line().attempt().length() > Frame.NAME_CHARS_MAX) {
            drops.dropped(origin, "name", 1);
            return;
        }
        OpenSeries series = table.open(origin.line(), name, nowMs);
        if (series == null) {
            drops.dropped(origin, "series", 1);
            return;
        }
        opened += series.add(origin, value, part, nowMs);
        full |= opened >= OPENED_MAX || series.openedSinceFlush >= OPENED_OF_ONE_MAX;
        list(series);
    }

    /** A reading of the sampler's own. */
    void addOwn(Origin origin, String name, double value, long part, long nowMs) {
        OpenSeries series = table.openAlways(origin.line(), name);
        opened += series.add(origin, value, part, nowMs);
        list(series);
    }

    private void list(OpenSeries series) {
        if (!series.listed) {
            series.listed = true;
            listed.add(series);
        }
    }

    /** Whether the next flush must not wait for its time. */
    boolean isFull() {
        return full;
    }

    /** Hands over the points to publish now; one that was published before is replaced by its newer self. */
    void flush(long nowMs, Consumer<MetricPoint> publish) {
        int budget = Math.max(
                STEPS_PER_FLUSH_MIN, Math.min(STEPS_PER_FLUSH_MAX, STEPS_OF_ALL_MAX / Math.max(1, listed.size())));
        for (OpenSeries series : listed) {
            flush(series, nowMs - series.heardAtMs >= QUIET_MS, budget);
        }
        listed.removeIf(series -> {
            series.listed =
                    series.windows.stream().anyMatch(w -> w.points().stream().anyMatch(p -> p.unpublished));
            return !series.listed;
        });
        if (nowMs - forgottenAtMs >= FORGET_EVERY_MS) {
            forgottenAtMs = nowMs;
            table.forgetSilentSince(nowMs - FORGET_MS);
        }
        opened = 0;
        full = false;
        outgoing.forEach(publish);
        outgoing.clear();
    }

    private void flush(OpenSeries series, boolean quiet, int stepBudget) {
        series.openedSinceFlush = 0;
        for (OpenWindow window : series.windows) {
            List<OpenPoint> ready = window.ready(quiet);
            if (ready.isEmpty()) {
                continue;
            }
            List<OpenPoint> kept = window.isEachStep() ? series.thinned(ready, stepBudget) : ready;
            if (kept.size() < ready.size()) {
                MetricPoint newest = series.point(window.window, ready.get(ready.size() - 1));
                drops.dropped(origin(newest), "thinned", ready.size() - kept.size());
            }
            kept.forEach(point -> outgoing.add(series.point(window.window, point)));
            ready.forEach(point -> published(series, window, point));
            window.trim();
        }
    }

    private static Origin origin(MetricPoint point) {
        return new Origin(point.line(), point.lastStep(), Own.WORKER, 0, point.lastAtMs());
    }

    private void published(OpenSeries series, OpenWindow window, OpenPoint point) {
        point.unpublished = false;
        point.unstored = false;
        if (point.inStore) {
            point.inStore = false;
            stale.add(series.point(window.window, point));
        }
    }

    private void publishAll(OpenSeries series) {
        flush(series, true, Integer.MAX_VALUE);
    }

    /** Before a commit: what is not published yet must be in the store, and nothing else. */
    void store(Store store) {
        stale.forEach(store::delete);
        stale.clear();
        for (OpenSeries series : listed) {
            for (OpenWindow window : series.windows) {
                for (OpenPoint point : window.points()) {
                    if (point.unstored) {
                        store.put(series.point(window.window, point));
                        point.unstored = false;
                        point.inStore = true;
                    }
                }
            }
        }
        // A series gave way, or was to follow other rules, and its points wait for the flush.
        outgoing.forEach(store::put);
        stale.addAll(outgoing);
    }

    int openSeries() {
        return table.size();
    }
}
