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
 * @param last value of the finite reading with the highest step
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
}
