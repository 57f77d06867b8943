package io.myolotrain.ui.live;

import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Summary;
import java.util.Optional;

/**
 * Readings of one series over a range of steps. Merging keeps minimum, maximum and last exactly, and counts what was not
 * finite instead of drawing it.
 *
 * @param min NaN when no reading was finite; so are {@code max} and {@code last}
 * @param last of the newest step that had a finite reading
 * @param count finite readings
 * @param nonFinite readings that were NaN or infinite
 * @param oddity of which kind they were
 * @param point number of the roll-up that this is; {@link #NO_POINT} when it joins several
 * @param part which of the roll-up's parts was told last: parts hold different readings and add up
 * @param others the roll-up's parts that were told before
 */
public record Bucket(
        long firstStep,
        long lastStep,
        long generation,
        long atMs,
        double min,
        double max,
        double last,
        long count,
        long nonFinite,
        Oddity oddity,
        long point,
        long part,
        Optional<Bucket> others) {
    static final long NO_POINT = -1;

    /** What kind of not finite the readings were. */
    public enum Oddity {
        NONE(""),
        NAN("NaN"),
        POSITIVE("+Inf"),
        NEGATIVE("-Inf"),
        MIXED("NaN or Inf");

        private final String text;

        Oddity(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        static Oddity of(double value) {
            return Double.isFinite(value) ? NONE : Double.isNaN(value) ? NAN : value > 0 ? POSITIVE : NEGATIVE;
        }

        Oddity and(Oddity other) {
            return this == NONE || this == other ? other : other == NONE ? this : MIXED;
        }
    }

    static Bucket of(long step, double value, long generation, long atMs) {
        boolean finite = Double.isFinite(value);
        double shown = finite ? value : Double.NaN;
        return new Bucket(
                step,
                step,
                generation,
                atMs,
                shown,
                shown,
                shown,
                finite ? 1 : 0,
                finite ? 0 : 1,
                Oddity.of(value),
                step,
                0,
                Optional.empty());
    }

    static Bucket of(MetricPoint p) {
        return new Bucket(
                p.firstStep(),
                p.lastStep(),
                p.generation().value(),
                p.lastAtMs(),
                p.min(),
                p.max(),
                p.last(),
                p.count(),
                p.nonFinite(),
                oddity(p.summary()),
                p.bucket(),
                p.part(),
                Optional.empty());
    }

    private static Oddity oddity(Summary of) {
        if (of.nonFinite() == 0) {
            return Oddity.NONE;
        }
        if (of.nans() == of.nonFinite()) {
            return Oddity.NAN;
        }
        if (of.positiveInfinities() == of.nonFinite()) {
            return Oddity.POSITIVE;
        }
        return of.negativeInfinities() == of.nonFinite() ? Oddity.NEGATIVE : Oddity.MIXED;
    }

    boolean sameRange(Bucket other) {
        return firstStep == other.firstStep && lastStep == other.lastStep;
    }

    /** Whether it tells this part of this roll-up anew, with no fewer readings. */
    boolean repeats(Bucket earlier) {
        return point != NO_POINT && point == earlier.point && part == earlier.part && generation == earlier.generation;
    }

    /** Without the memory of its parts. */
    private Bucket flat() {
        return others.isEmpty()
                ? this
                : new Bucket(
                        firstStep,
                        lastStep,
                        generation,
                        atMs,
                        min,
                        max,
                        last,
                        count,
                        nonFinite,
                        oddity,
                        point,
                        part,
                        Optional.empty());
    }

    /** All readings of both. Where both are of one roll-up, this remains known apart, so that the other can be told again. */
    Bucket merge(Bucket other) {
        boolean parts = point != NO_POINT && point == other.point;
        boolean otherIsNewer = other.lastStep >= lastStep;
        Bucket newer = otherIsNewer ? other : this;
        Bucket older = otherIsNewer ? this : other;
        return new Bucket(
                Math.min(firstStep, other.firstStep),
                Math.max(lastStep, other.lastStep),
                Math.max(generation, other.generation),
                newer.atMs,
                least(min, other.min),
                greatest(max, other.max),
                Double.isNaN(newer.last) ? older.last : newer.last,
                count + other.count,
                nonFinite + other.nonFinite,
                oddity.and(other.oddity),
                parts ? point : NO_POINT,
                parts ? other.part : 0,
                parts ? Optional.of(flat()) : Optional.empty());
    }

    private static double least(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
    }

    private static double greatest(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
    }
}
