package io.myolotrain.sampler;

import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.SamplingRules;
import io.myolotrain.core.sampling.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Rolls readings up at the resolutions of their policy. Bounded: a job has at most {@link #SERIES_MAX} series, a series a
 * handful of open points, a flush {@link #STEPS_PER_FLUSH_MAX} points of one step per series.
 */
final class Rollups {
    static final int SERIES_MAX = 512;
    /** Over all jobs: names of jobs come from outside, too. */
    static final int SERIES_IN_ALL_MAX = 8_192;
    /** With a flush each 200 ms, 100 points a second: more than a screen can show. */
    static final int STEPS_PER_FLUSH_MAX = 20;
    /** A roll-up that gets no more readings is published as it is after this time. */
    static final long QUIET_MS = 1_000;
    /** A series that is silent for longer gives way to a new one when its job has too many. */
    static final long GIVES_WAY_MS = 10_000;
    /** A series that is silent for longer is let go: its job is over, or has another generation. */
    static final long FORGET_MS = 600_000;

    static final int NAME_CHARS_MAX = 200;

    private final SamplingRules rules;
    private final Kept kept;
    private final Drops drops;
    private final Map<Series, Open> series = new LinkedHashMap<>();
    private final Map<String, Integer> seriesOfJob = new TreeMap<>();

    /** Where open points outlive a restart. */
    interface Kept {
        void put(MetricPoint point);

        void delete(MetricPoint point);
    }

    /** Told of every reading or point that is not kept, by reason. */
    interface Drops {
        void dropped(String reason, long count);
    }

    private static final class Open {
        final Map<Window, OpenWindow> windows = new LinkedHashMap<>();
        long heardAtMs;
    }

    Rollups(SamplingRules rules, Kept kept, Drops drops) {
        this.rules = rules;
        this.kept = kept;
        this.drops = drops;
    }

    void recall(MetricPoint point, long nowMs) {
        Series of = Series.of(point);
        open(of, nowMs)
                .windows
                .computeIfAbsent(point.window(), w -> new OpenWindow(of, w))
                .recall(point, nowMs);
    }

    /** @param part position of the reading in the log of readings */
    void add(Origin origin, String name, double value, long part, long nowMs) {
        if (name.isBlank()
                || name.length() > NAME_CHARS_MAX
                || origin.line().attempt().length() > NAME_CHARS_MAX) {
            drops.dropped("name", 1);
            return;
        }
        Series of = new Series(origin.line(), name);
        if (!series.containsKey(of) && !makeRoom(of, nowMs)) {
            drops.dropped("series", 1);
            return;
        }
        Open open = open(of, nowMs);
        boolean late = true;
        for (Window window : rules.policyFor(name).windows()) {
            Optional<MetricPoint> point = open.windows
                    .computeIfAbsent(window, w -> new OpenWindow(of, w))
                    .add(origin, value, part, nowMs);
            point.ifPresent(kept::put);
            late &= point.isEmpty();
        }
        if (late) {
            drops.dropped("late", 1);
        }
    }

    /** Points to publish now; one that was published before is replaced by its newer self. */
    List<MetricPoint> flush(long nowMs) {
        var points = new ArrayList<MetricPoint>();
        for (Open open : series.values()) {
            open.windows.forEach((window, at) -> {
                List<MetricPoint> changed = at.changed(at.quiet(nowMs, QUIET_MS));
                points.addAll(window.equals(Window.EACH_STEP) ? thinned(changed) : changed);
                at.close().forEach(kept::delete);
            });
        }
        forgetSilent(nowMs);
        return points;
    }

    int openSeries() {
        return series.size();
    }

    private List<MetricPoint> thinned(List<MetricPoint> points) {
        int stride = (points.size() + STEPS_PER_FLUSH_MAX - 1) / STEPS_PER_FLUSH_MAX;
        if (stride <= 1) {
            return points;
        }
        var some = new ArrayList<MetricPoint>();
        for (int i = points.size() - 1; i >= 0; i -= stride) {
            some.add(0, points.get(i));
        }
        drops.dropped("thinned", points.size() - some.size());
        return some;
    }

    private Open open(Series of, long nowMs) {
        Open open = series.computeIfAbsent(of, s -> {
            seriesOfJob.merge(s.jobKey(), 1, Integer::sum);
            return new Open();
        });
        open.heardAtMs = nowMs;
        return open;
    }

    private boolean makeRoom(Series wanted, long nowMs) {
        boolean jobIsFull = seriesOfJob.getOrDefault(wanted.jobKey(), 0) >= SERIES_MAX;
        if (!jobIsFull && series.size() < SERIES_IN_ALL_MAX) {
            return true;
        }
        Optional<Map.Entry<Series, Open>> silent = series.entrySet().stream()
                .filter(e -> !jobIsFull || e.getKey().jobKey().equals(wanted.jobKey()))
                .filter(e -> nowMs - e.getValue().heardAtMs > GIVES_WAY_MS)
                .min(Comparator.comparingLong(e -> e.getValue().heardAtMs));
        silent.ifPresent(e -> forget(e.getKey()));
        return silent.isPresent();
    }

    private void forgetSilent(long nowMs) {
        List<Series> silent = series.entrySet().stream()
                .filter(e -> nowMs - e.getValue().heardAtMs > FORGET_MS)
                .map(Map.Entry::getKey)
                .toList();
        silent.forEach(this::forget);
    }

    private void forget(Series of) {
        Open gone = series.remove(of);
        if (gone == null) {
            return;
        }
        gone.windows.values().forEach(window -> window.points().forEach(kept::delete));
        seriesOfJob.computeIfPresent(of.jobKey(), (job, count) -> count > 1 ? count - 1 : null);
    }
}
