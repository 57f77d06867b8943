package io.myolotrain.core.sampling;

import java.util.List;

/**
 * Magnitudes of many floats in fixed buckets, one per power of two, so that histograms of any two steps can be compared
 * bucket by bucket. Bucket {@code b} counts {@code 2^(b-48) <= |x| < 2^(b-47)}; the first also counts what is smaller but
 * not zero, the last what is larger but finite.
 *
 * @param layer transformer block, -1 = embeddings, number of blocks = head
 * @param firstBucket bucket of {@code counts[0]}; buckets outside of {@code counts} are empty
 * @param maxMagnitude largest finite |x|; 0 when there is none
 * @param sumOfSquares of the finite values; NaN in a record of a release that did not tell it
 */
public record Histogram(
        int layer,
        int firstBucket,
        List<Long> counts,
        long zeros,
        long nans,
        long positiveInfinities,
        long negativeInfinities,
        double maxMagnitude,
        double sumOfSquares) {

    public static final int BUCKETS = 64;
    /** Bucket 0 begins at 2^-48 = 3.6e-15, bucket 63 at 2^15 = 32,768. */
    public static final int LOWEST_EXPONENT = -48;

    public Histogram {
        if (firstBucket < 0 || firstBucket + counts.size() > BUCKETS) {
            throw new IllegalArgumentException("a histogram has buckets 0 to " + (BUCKETS - 1) + ": firstBucket="
                    + firstBucket + " counts=" + counts.size());
        }
        if (zeros < 0
                || nans < 0
                || positiveInfinities < 0
                || negativeInfinities < 0
                || counts.stream().anyMatch(c -> c < 0)) {
            throw new IllegalArgumentException(
                    "counts must be >= 0: zeros=" + zeros + " nans=" + nans + " counts=" + counts);
        }
        if (!(maxMagnitude >= 0) || Double.isInfinite(maxMagnitude)) {
            throw new IllegalArgumentException(
                    "the largest magnitude must be finite and >= 0: maxMagnitude=" + maxMagnitude);
        }
        if (sumOfSquares < 0) {
            throw new IllegalArgumentException("a sum of squares must be >= 0: sumOfSquares=" + sumOfSquares);
        }
        counts = List.copyOf(counts);
    }

    /** Smallest magnitude of a bucket. */
    public static double lowerBound(int bucket) {
        return Math.scalb(1.0, bucket + LOWEST_EXPONENT);
    }

    /** Values that are neither NaN nor infinite, zeros among them. */
    public long finite() {
        return zeros + counts.stream().mapToLong(Long::longValue).sum();
    }

    /** Euclidean norm of all values, as adding them up would give it: NaN with a NaN among them, else infinite with an infinity. */
    public double norm() {
        if (nans > 0) {
            return Double.NaN;
        }
        return nonFinite() > 0 ? Double.POSITIVE_INFINITY : Math.sqrt(sumOfSquares);
    }

    public long nonFinite() {
        return nans + positiveInfinities + negativeInfinities;
    }
}
