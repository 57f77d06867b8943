package io.myolotrain.core.sampling;

/** A point that is still growing, in whatever order its readings come. Used by one thread. */
public final class RollUp {
    private final long bucket;
    private final long part;
    private long firstStep = Long.MAX_VALUE;
    private long lastStep = Long.MIN_VALUE;
    private long firstAtMs = Long.MAX_VALUE;
    private long lastAtMs = Long.MIN_VALUE;
    private double min = Double.NaN;
    private double max = Double.NaN;
    private double mean = Double.NaN;
    private double last = Double.NaN;
    private long lastFiniteStep = Long.MIN_VALUE;
    private long count;
    private long nonFinite;
    private long positiveInfinities;
    private long negativeInfinities;
    private long firstNonFiniteStep = -1;

    public RollUp(long bucket, long part) {
        this.bucket = bucket;
        this.part = part;
    }

    /** Goes on where the point was. */
    public static RollUp of(MetricPoint point) {
        var rollUp = new RollUp(point.bucket(), point.part());
        rollUp.firstStep = point.firstStep();
        rollUp.lastStep = point.lastStep();
        rollUp.firstAtMs = point.firstAtMs();
        rollUp.lastAtMs = point.lastAtMs();
        Summary summary = point.summary();
        rollUp.min = summary.min();
        rollUp.max = summary.max();
        rollUp.mean = summary.mean();
        rollUp.last = summary.last();
        rollUp.lastFiniteStep = summary.count() > 0 ? point.lastStep() : Long.MIN_VALUE;
        rollUp.count = summary.count();
        rollUp.nonFinite = summary.nonFinite();
        rollUp.positiveInfinities = summary.positiveInfinities();
        rollUp.negativeInfinities = summary.negativeInfinities();
        rollUp.firstNonFiniteStep = summary.firstNonFiniteStep();
        return rollUp;
    }

    public void add(long step, long atMs, double value) {
        firstStep = Math.min(firstStep, step);
        lastStep = Math.max(lastStep, step);
        firstAtMs = Math.min(firstAtMs, atMs);
        lastAtMs = Math.max(lastAtMs, atMs);
        if (Double.isFinite(value)) {
            addFinite(step, value);
        } else {
            nonFinite++;
            positiveInfinities += value == Double.POSITIVE_INFINITY ? 1 : 0;
            negativeInfinities += value == Double.NEGATIVE_INFINITY ? 1 : 0;
            firstNonFiniteStep = firstNonFiniteStep < 0 ? step : Math.min(firstNonFiniteStep, step);
        }
    }

    private void addFinite(long step, double value) {
        if (count == 0) {
            min = value;
            max = value;
            mean = value;
        } else {
            min = Math.min(min, value);
            max = Math.max(max, value);
            mean += (value - mean) / (count + 1);
        }
        count++;
        if (step >= lastFiniteStep) {
            last = value;
            lastFiniteStep = step;
        }
    }

    public long bucket() {
        return bucket;
    }

    public double min() {
        return min;
    }

    public double max() {
        return max;
    }

    public double mean() {
        return mean;
    }

    public long nonFinite() {
        return nonFinite;
    }

    public MetricPoint point(Line line, String name, Window window) {
        var summary = new Summary(
                min, max, mean, last, count, nonFinite, positiveInfinities, negativeInfinities, firstNonFiniteStep);
        return new MetricPoint(line, name, window, part, firstStep, lastStep, firstAtMs, lastAtMs, summary);
    }
}
