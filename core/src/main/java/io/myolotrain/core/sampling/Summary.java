package io.myolotrain.core.sampling;

/**
 * Figures of consecutive values. Values that are not finite are counted and stand in no other figure.
 *
 * @param min NaN when no value was finite; so are {@code max}, {@code mean} and {@code last}
 * @param last latest finite value, by step
 * @param count finite values
 * @param nonFinite values that were NaN or infinite
 * @param positiveInfinities of {@code nonFinite}
 * @param negativeInfinities of {@code nonFinite}; what remains was NaN
 * @param firstNonFiniteStep -1 when every value was finite
 */
public record Summary(
        double min,
        double max,
        double mean,
        double last,
        long count,
        long nonFinite,
        long positiveInfinities,
        long negativeInfinities,
        long firstNonFiniteStep) {

    public Summary {
        if (count < 0
                || nonFinite < 0
                || count + nonFinite < 1
                || positiveInfinities < 0
                || negativeInfinities < 0
                || positiveInfinities + negativeInfinities > nonFinite) {
            throw new IllegalArgumentException("a summary holds >= 1 value: count=" + count + " nonFinite=" + nonFinite
                    + " positiveInfinities=" + positiveInfinities + " negativeInfinities=" + negativeInfinities);
        }
    }

    /** Of one value at one step. */
    public static Summary of(long step, double value) {
        boolean finite = Double.isFinite(value);
        double shown = finite ? value : Double.NaN;
        return new Summary(
                shown,
                shown,
                shown,
                shown,
                finite ? 1 : 0,
                finite ? 0 : 1,
                value == Double.POSITIVE_INFINITY ? 1 : 0,
                value == Double.NEGATIVE_INFINITY ? 1 : 0,
                finite ? -1 : step);
    }

    public long nans() {
        return nonFinite - positiveInfinities - negativeInfinities;
    }
}
