package io.myolotrain.ui.live;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All series, within one budget of buckets: when it is spent, the longest are thinned. */
final class SeriesStore {
    static final int SERIES_MAX = 50_000; // further names are counted and named in health, not kept
    static final int CAPACITY_MAX = 65_536; // a series of 10 million steps keeps one bucket per 256 steps
    static final int CAPACITY_MIN = 16;

    private final int bucketBudget;
    private final NavigableMap<SeriesKey, Series> series = new TreeMap<>();
    private final Map<AttemptKey, Cuts> cuts = new HashMap<>(); // looked up only, never listed
    private long notKept;
    private int buckets; // about: a cut removes some before they are counted again

    private record AttemptKey(String job, String attempt) {}

    SeriesStore(int bucketBudget) {
        this.bucketBudget = bucketBudget;
    }

    /** @return false when the reading was not kept because there are too many series */
    boolean add(SeriesKey key, Bucket reading) {
        Series of = series.get(key);
        if (of == null) {
            if (series.size() >= SERIES_MAX) {
                notKept++;
                return false;
            }
            of = new Series(cuts(key.job(), key.attempt()));
            series.put(key, of);
        }
        int before = of.size();
        of.add(reading, CAPACITY_MAX);
        buckets += of.size() - before;
        if (buckets > bucketBudget) {
            thin();
        }
        return true;
    }

    void cut(String job, String attempt, long generation, long firstStep) {
        cuts(job, attempt).add(generation, firstStep);
        of(job, attempt).values().forEach(Series::applyCuts);
    }

    @Nullable Series get(SeriesKey key) {
        return series.get(key);
    }

    /** Every series of an attempt, by name. */
    NavigableMap<SeriesKey, Series> of(String job, String attempt) {
        return series.subMap(new SeriesKey(job, attempt, ""), true, new SeriesKey(job, attempt + "\0", ""), false);
    }

    /** Of what was measured nothing is left; what decisions tell stays. */
    void removeMeasured(String job, String attempt) {
        var gone = of(job, attempt);
        gone.values().forEach(of -> buckets -= of.size());
        gone.keySet().removeIf(key -> !Measurements.isDecided(key.name()));
        gone.values().forEach(of -> buckets += of.size());
    }

    /** What decisions tell. */
    List<Kept.Curve> decidedCurves() {
        return series.entrySet().stream()
                .filter(e -> Measurements.isDecided(e.getKey().name()))
                .map(e -> e.getValue().kept(e.getKey()))
                .toList();
    }

    List<Kept.Cut> keptCuts() {
        return cuts.entrySet().stream()
                .flatMap(of -> of.getValue().firstSteps().entrySet().stream()
                        .map(cut -> new Kept.Cut(of.getKey().job, of.getKey().attempt, cut.getKey(), cut.getValue())))
                .sorted(Comparator.comparing(Kept.Cut::job)
                        .thenComparing(Kept.Cut::attempt)
                        .thenComparingLong(Kept.Cut::generation))
                .toList();
    }

    void restore(List<Kept.Curve> curves, List<Kept.Cut> keptCuts) {
        keptCuts.forEach(cut -> cuts(cut.job(), cut.attempt()).add(cut.generation(), cut.firstStep()));
        for (Kept.Curve curve : curves) {
            Series of = Series.of(curve, cuts(curve.key().job(), curve.key().attempt()));
            series.put(curve.key(), of);
            buckets += of.size();
        }
    }

    /** Every attempt that has a series of this name, by job. */
    List<SeriesKey> attempts(String name) {
        var found = new ArrayList<SeriesKey>();
        SeriesKey at = series.isEmpty() ? null : series.firstKey();
        while (at != null) {
            var key = new SeriesKey(at.job(), at.attempt(), name);
            if (series.containsKey(key)) {
                found.add(key);
            }
            at = series.higherKey(new SeriesKey(at.job(), at.attempt(), String.valueOf(Character.MAX_VALUE)));
        }
        return found;
    }

    void clear() {
        series.clear();
        cuts.clear();
        buckets = 0;
        notKept = 0;
    }

    long notKept() {
        return notKept;
    }

    int size() {
        return series.size();
    }

    /** The longest series give way first: many short ones take nothing from a long one that still fits. */
    private void thin() {
        int longest = CAPACITY_MAX;
        while (buckets > bucketBudget - bucketBudget / 8 && longest > CAPACITY_MIN) {
            longest /= 2;
            buckets = 0;
            for (Series of : series.values()) {
                of.thinTo(longest);
                buckets += of.size();
            }
        }
    }

    private Cuts cuts(String job, String attempt) {
        return cuts.computeIfAbsent(new AttemptKey(job, attempt), key -> new Cuts());
    }
}
