package io.myolotrain.sampler;

/**
 * Tells values that stand out from the recent ones of their series: exponentially weighted mean and variance, as in
 * Roberts' control chart (Technometrics 1, 1959). A value that stands out moves the mean no further than the threshold does,
 * so that one spike does not hide the next.
 */
final class Outliers {
    private static final double WEIGHT = 1.0 / 32;
    private static final double SIGMAS = 4;
    private static final int LEARNING = 16;

    private int seen;
    private double mean;
    private double variance;

    /** Takes the next value of the series, in the order of its steps. */
    boolean isOutlier(double value) {
        if (!Double.isFinite(value)) {
            return false;
        }
        if (seen == 0) {
            mean = value;
            seen = 1;
            return false;
        }
        double deviation = value - mean;
        double threshold = SIGMAS * Math.sqrt(variance);
        boolean out = seen >= LEARNING && Math.abs(deviation) > threshold;
        double step = out && threshold > 0 ? Math.copySign(threshold, deviation) : deviation;
        double weight = Math.max(WEIGHT, 1.0 / (seen + 1));
        mean += weight * step;
        variance = (1 - weight) * (variance + weight * step * step);
        seen = Math.min(seen + 1, Integer.MAX_VALUE - 1);
        return out;
    }
}
