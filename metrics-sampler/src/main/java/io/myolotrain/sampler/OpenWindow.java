package io.myolotrain.sampler;

import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.RollUp;
import io.myolotrain.core.sampling.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The latest points of one series at one resolution, still open for readings that come late. */
final class OpenWindow {
    /** Points that stay open behind the newest: ranks report the same step at different times. */
    static final int OPEN_MAX = 4;
    /** Points that may change between two flushes. */
    static final int CHANGED_MAX = 1_000;

    private final Series series;
    private final Window window;
    private final TreeMap<Long, RollUp> open = new TreeMap<>();
    private final NavigableSet<Long> changed = new TreeSet<>();
    private long closedUpTo = Long.MIN_VALUE;
    private long changedAtMs;

    OpenWindow(Series series, Window window) {
        this.series = series;
        this.window = window;
    }

    /** The point that the value changed, or empty when it is too late or there is too much. */
    Optional<MetricPoint> add(Origin origin, double value, long part, long nowMs) {
        long bucket = window.bucket(origin.step(), origin.atMs());
        if (bucket <= closedUpTo || (changed.size() >= CHANGED_MAX && !changed.contains(bucket))) {
            return Optional.empty();
        }
        RollUp rollUp = open.computeIfAbsent(bucket, b -> new RollUp(b, part));
        rollUp.add(origin.step(), origin.atMs(), value);
        changed.add(bucket);
        changedAtMs = nowMs;
        return Optional.of(point(rollUp));
    }

    /** What was kept may not have been published before the restart, so it is taken for changed. */
    void recall(MetricPoint point, long nowMs) {
        open.put(point.bucket(), RollUp.of(point));
        changed.add(point.bucket());
        changedAtMs = nowMs;
        if (open.size() >= OPEN_MAX) {
            closedUpTo = open.firstKey() - 1;
        }
    }

    private MetricPoint point(RollUp rollUp) {
        return rollUp.point(series.line(), series.name(), window);
    }

    /** Whether nothing has changed for that long. */
    boolean quiet(long nowMs, long forMs) {
        return nowMs - changedAtMs >= forMs;
    }

    /**
     * Takes the points that are to be published: changed and complete, which is when a newer one has begun, or changed
     * and quiet. A point of one step is published as soon as it changed.
     */
    List<MetricPoint> changed(boolean quiet) {
        var points = new ArrayList<MetricPoint>();
        var taken = new ArrayList<Long>();
        for (long bucket : changed) {
            RollUp rollUp = open.get(bucket);
            if (rollUp != null && (quiet || window.equals(Window.EACH_STEP) || bucket < open.lastKey())) {
                points.add(point(rollUp));
                taken.add(bucket);
            }
        }
        taken.forEach(changed::remove);
        return points;
    }

    /** Closes what is older than the newest {@value #OPEN_MAX}; returns what was closed. */
    List<MetricPoint> close() {
        var closed = new ArrayList<MetricPoint>();
        while (open.size() > OPEN_MAX && !changed.contains(open.firstKey())) {
            closedUpTo = open.firstKey();
            closed.add(point(open.pollFirstEntry().getValue()));
        }
        return closed;
    }

    List<MetricPoint> points() {
        return open.values().stream().map(this::point).toList();
    }
}
