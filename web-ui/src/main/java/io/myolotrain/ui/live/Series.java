package io.myolotrain.ui.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * One metric of one attempt in bounded memory. Readings stay raw until there are more than fit; then the width of a
 * bucket, counted in steps and aligned to step 0, doubles. Alignment makes the picture of a range a function of its
 * readings alone: a spike never comes and goes while training goes on.
 */
final class Series {
    static final int ABANDONED_MAX = 512; // buckets of abandoned branches; the oldest is dropped first

    private final Cuts cuts;
    private final ArrayList<Bucket> main = new ArrayList<>();
    private final ArrayDeque<Bucket> abandoned = new ArrayDeque<>();
    private long bucketSteps = 1;
    private long readings;
    private long nonFinite;
    private long firstNonFiniteStep = -1;

    Series(Cuts cuts) {
        this.cuts = cuts;
    }

    static Series of(Kept.Curve kept, Cuts cuts) {
        var series = new Series(cuts);
        series.main.addAll(kept.main());
        series.abandoned.addAll(kept.abandoned());
        series.bucketSteps = kept.bucketSteps();
        series.readings = kept.readings();
        series.nonFinite = kept.nonFinite();
        series.firstNonFiniteStep = kept.firstNonFiniteStep();
        return series;
    }

    Kept.Curve kept(SeriesKey key) {
        return new Kept.Curve(
                key, bucketSteps, readings, nonFinite, firstNonFiniteStep, List.copyOf(main), List.copyOf(abandoned));
    }

    void add(Bucket reading, int capacity) {
        count(reading);
        if (cuts.abandons(reading.generation(), reading.firstStep())) {
            abandon(reading);
            return;
        }
        int at = indexOf(reading.firstStep());
        if (at < 0) {
            main.add(-at - 1, reading);
        } else {
            main.set(at, joined(main.get(at), reading));
        }
        thinTo(capacity);
    }

    void thinTo(int capacity) {
        while (main.size() > Math.max(2, capacity)) {
            widen();
        }
    }

    /** Moves what older generations reached beyond the cuts to the abandoned branch. */
    void applyCuts() {
        main.removeIf(bucket -> {
            boolean cut = cuts.abandons(bucket.generation(), bucket.firstStep());
            if (cut) {
                abandon(bucket);
            }
            return cut;
        });
    }

    /** Buckets of {@code [fromStep, toStep]}, merged by aligned powers of two until at most {@code pointsMax} remain. */
    SeriesWindow window(long fromStep, long toStep, int pointsMax) {
        return window(fromStep, toStep, pointsMax, Long.MAX_VALUE);
    }

    /** The same as it was while {@code asOf} was the newest generation: what was abandoned later is on the line again. */
    SeriesWindow window(long fromStep, long toStep, int pointsMax, long asOf) {
        List<Bucket> line = main;
        List<Bucket> faint = List.copyOf(abandoned);
        if (asOf < Long.MAX_VALUE) {
            line = asOf(asOf);
            faint = abandoned.stream()
                    .filter(b -> b.generation() <= asOf && cuts.abandons(b.generation(), b.firstStep(), asOf))
                    .toList();
        }
        List<Bucket> reduced = between(line, fromStep, toStep);
        long width = bucketSteps;
        while (reduced.size() > pointsMax && width < Long.MAX_VALUE / 4) {
            width *= 2;
            reduced = grouped(reduced, width); // merging is associative: merged again, the extremes stay exact
        }
        return new SeriesWindow(
                width, readings, nonFinite, firstNonFiniteStep, List.copyOf(reduced), between(faint, fromStep, toStep));
    }

    private List<Bucket> asOf(long asOf) {
        var byStep = new TreeMap<Long, Bucket>();
        for (Bucket b : abandoned) {
            if (b.generation() <= asOf && !cuts.abandons(b.generation(), b.firstStep(), asOf)) {
                byStep.put(b.firstStep(), b);
            }
        }
        for (Bucket b : main) {
            if (b.generation() <= asOf) {
                byStep.put(b.firstStep(), b);
            }
        }
        return List.copyOf(byStep.values());
    }

    private static List<Bucket> between(List<Bucket> buckets, long fromStep, long toStep) {
        if (fromStep <= 0 && toStep == Long.MAX_VALUE) {
            return buckets;
        }
        return buckets.stream()
                .filter(b -> b.lastStep() >= fromStep && b.firstStep() <= toStep)
                .toList();
    }

    int size() {
        return main.size();
    }

    long lastStep() {
        return main.isEmpty() ? -1 : main.get(main.size() - 1).lastStep();
    }

    double lastValue() {
        return main.isEmpty() ? Double.NaN : main.get(main.size() - 1).last();
    }

    long readings() {
        return readings;
    }

    private Bucket joined(Bucket held, Bucket reading) {
        if (held.sameRange(reading) && reading.generation() > held.generation()) {
            abandon(held); // the step was run again
            return reading;
        }
        if (!reading.repeats(held)) {
            return held.merge(reading);
        }
        discount(held);
        if (held.others().isEmpty()) {
            return reading;
        }
        Bucket others = held.others().get();
        recount(others);
        return others.merge(reading);
    }

    private void count(Bucket reading) {
        recount(reading);
        if (reading.nonFinite() > 0) {
            firstNonFiniteStep =
                    firstNonFiniteStep < 0 ? reading.firstStep() : Math.min(firstNonFiniteStep, reading.firstStep());
        }
    }

    private void discount(Bucket replaced) {
        readings -= replaced.count() + replaced.nonFinite();
        nonFinite -= replaced.nonFinite();
    }

    private void recount(Bucket kept) {
        readings += kept.count() + kept.nonFinite();
        nonFinite += kept.nonFinite();
    }

    private void abandon(Bucket bucket) {
        abandoned.addLast(bucket);
        if (abandoned.size() > ABANDONED_MAX) {
            abandoned.removeFirst();
        }
    }

    /** Index of the bucket that covers the step, or {@code -insertionPoint - 1}. Nearly always the end. */
    private int indexOf(long step) {
        long slot = Math.floorDiv(step, bucketSteps);
        int low = 0;
        int high = main.size() - 1;
        if (high >= 0 && slotOf(main.get(high)) < slot) {
            return -(high + 1) - 1;
        }
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long other = slotOf(main.get(middle));
            if (other == slot) {
                return middle;
            }
            if (other < slot) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    private long slotOf(Bucket bucket) {
        return Math.floorDiv(bucket.firstStep(), bucketSteps);
    }

    private void widen() {
        bucketSteps *= 2;
        List<Bucket> merged = grouped(main, bucketSteps);
        main.clear();
        main.addAll(merged);
    }

    private static List<Bucket> grouped(List<Bucket> buckets, long width) {
        var groups = new ArrayList<Bucket>();
        long slot = Long.MIN_VALUE;
        for (Bucket bucket : buckets) {
            long next = Math.floorDiv(bucket.firstStep(), width);
            int end = groups.size() - 1;
            if (next == slot) {
                groups.set(end, groups.get(end).merge(bucket));
            } else {
                groups.add(bucket);
                slot = next;
            }
        }
        return groups;
    }
}
