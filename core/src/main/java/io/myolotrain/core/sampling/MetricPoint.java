package io.myolotrain.core.sampling;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;

/**
 * A roll-up of consecutive readings of one metric within one line.
 *
 * <p>Points of equal line, name, window, bucket and part tell the same again: the newer replaces the older. Points that
 * differ in their part only hold different readings of the same bucket, such as late ones: they add up.
 *
 * @param part position of the first reading in the log of readings
 */
public record MetricPoint(
        Line line,
        String name,
        Window window,
        long part,
        long firstStep,
        long lastStep,
        long firstAtMs,
        long lastAtMs,
        Summary summary) {

    /** What a point spans. */
    public enum Unit {
        STEP,
        MILLISECOND
    }

    public MetricPoint {
        if (firstStep > lastStep || firstAtMs > lastAtMs) {
            throw new IllegalArgumentException("a point ends at or after its begin: firstStep=" + firstStep
                    + " lastStep=" + lastStep + " firstAtMs=" + firstAtMs + " lastAtMs=" + lastAtMs);
        }
    }

    /** Number of the point within its line, name and window. */
    public long bucket() {
        return Math.floorDiv(unit() == Unit.STEP ? firstStep : firstAtMs, width());
    }

    public PoolId pool() {
        return line.pool();
    }

    public JobId job() {
        return line.job();
    }

    public String attempt() {
        return line.attempt();
    }

    public Generation generation() {
        return line.generation();
    }

    public Unit unit() {
        return window.unit();
    }

    /** Steps or milliseconds; 1 step = as reported. */
    public long width() {
        return window.width();
    }

    public double min() {
        return summary.min();
    }

    public double max() {
        return summary.max();
    }

    public double mean() {
        return summary.mean();
    }

    public double last() {
        return summary.last();
    }

    public long count() {
        return summary.count();
    }

    public long nonFinite() {
        return summary.nonFinite();
    }
}
