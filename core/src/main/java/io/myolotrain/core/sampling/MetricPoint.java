package io.myolotrain.core.sampling;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;

/**
 * A roll-up of consecutive readings of one metric within one attempt and generation. Values that are not finite are
 * counted and stand in no other figure.
 *
 * @param width steps or milliseconds that one point spans; 1 step = as reported
 * @param min NaN when no reading was finite; so are {@code max}, {@code mean} and {@code last}
 * @param last latest finite value, by step
 * @param count finite readings
 * @param nonFinite readings that were NaN or infinite
 */
public record MetricPoint(
        PoolId pool,
        JobId job,
        String attempt,
        Generation generation,
        String name,
        Unit unit,
        long width,
        long firstStep,
        long lastStep,
        long firstAtMs,
        long lastAtMs,
        double min,
        double max,
        double mean,
        double last,
        long count,
        long nonFinite) {

    /** What a point spans. */
    public enum Unit {
        STEP,
        MILLISECOND
    }

    public MetricPoint {
        if (width < 1 || count < 0 || nonFinite < 0 || count + nonFinite < 1) {
            throw new IllegalArgumentException("a point spans >= 1 and holds >= 1 reading: width=" + width + " count="
                    + count + " nonFinite=" + nonFinite);
        }
    }

    /** The point that holds this reading alone. */
    public static MetricPoint of(Reading reading, Window window) {
        boolean finite = Double.isFinite(reading.value());
        double value = finite ? reading.value() : Double.NaN;
        return new MetricPoint(
                reading.pool(),
                reading.job(),
                reading.attempt(),
                reading.generation(),
                reading.name(),
                window.unit(),
                window.width(),
                reading.step(),
                reading.step(),
                reading.atMs(),
                reading.atMs(),
                value,
                value,
                value,
                value,
                finite ? 1 : 0,
                finite ? 0 : 1);
    }

    /** This point with one more reading of the same series and bucket, in whatever order readings come. */
    public MetricPoint plus(Reading reading) {
        boolean finite = Double.isFinite(reading.value());
        long finiteCount = count + (finite ? 1 : 0);
        double value = reading.value();
        return new MetricPoint(
                pool,
                job,
                attempt,
                generation,
                name,
                unit,
                width,
                Math.min(firstStep, reading.step()),
                Math.max(lastStep, reading.step()),
                Math.min(firstAtMs, reading.atMs()),
                Math.max(lastAtMs, reading.atMs()),
                !finite ? min : count == 0 ? value : Math.min(min, value),
                !finite ? max : count == 0 ? value : Math.max(max, value),
                !finite ? mean : count == 0 ? value : mean + (value - mean) / finiteCount,
                finite && (count == 0 || reading.step() >= lastStep) ? value : last,
                finiteCount,
                nonFinite + (finite ? 0 : 1));
    }

    public Window window() {
        return new Window(unit, width);
    }
}
