package io.myolotrain.sampler;

import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Reading;
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

    private final Window window;
    private final TreeMap<Long, MetricPoint> open = new TreeMap<>();
    private final NavigableSet<Long> changed = new TreeSet<>();
    private long closedUpTo = Long.MIN_VALUE;
    private long changedAtMs;

    OpenWindow(Window window) {
        this.window = window;
    }

    /** The point that the reading changed, or empty when it is too late or there is too much. */
    Optional<MetricPoint> add(Reading reading, long nowMs) {
        long bucket = window.bucket(reading);
        if (bucket <= closedUpTo || (changed.size() >= CHANGED_MAX && !changed.contains(bucket))) {
            return Optional.empty();
        }
        MetricPoint before = open.get(bucket);
        MetricPoint after = before == null ? MetricPoint.of(reading, window) : before.plus(reading);
        open.put(bucket, after);
        changed.add(bucket);
        changedAtMs = nowMs;
        return Optional.of(after);
    }

    /** What was kept may not have been published before the restart, so it is taken for changed. */
    void recall(MetricPoint point, long nowMs) {
        open.put(bucket(point), point);
        changed.add(bucket(point));
        changedAtMs = nowMs;
        if (open.size() >= OPEN_MAX) {
            closedUpTo = open.firstKey() - 1;
        }
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
            MetricPoint point = open.get(bucket);
            if (point != null && (quiet || window.equals(Window.EACH_STEP) || bucket < open.lastKey())) {
                points.add(point);
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
            closed.add(open.pollFirstEntry().getValue());
        }
        return closed;
    }

    List<MetricPoint> points() {
        return List.copyOf(open.values());
    }

    static long bucket(MetricPoint point) {
        return Math.floorDiv(
                point.unit() == MetricPoint.Unit.STEP ? point.firstStep() : point.firstAtMs(), point.width());
    }
}
