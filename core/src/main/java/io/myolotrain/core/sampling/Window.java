package io.myolotrain.core.sampling;

/**
 * One resolution of a metric: points that span {@code width} steps or milliseconds, aligned to multiples of it.
 *
 * @param width 1 step = one point for each step
 */
public record Window(MetricPoint.Unit unit, long width) {
    public static final Window EACH_STEP = steps(1);

    public Window {
        if (width < 1) {
            throw new IllegalArgumentException("a window spans >= 1: width=" + width);
        }
    }

    public static Window steps(long width) {
        return new Window(MetricPoint.Unit.STEP, width);
    }

    public static Window millis(long width) {
        return new Window(MetricPoint.Unit.MILLISECOND, width);
    }

    /** Number of the point that a reading belongs to. */
    public long bucket(long step, long atMs) {
        return Math.floorDiv(unit == MetricPoint.Unit.STEP ? step : atMs, width);
    }
}
