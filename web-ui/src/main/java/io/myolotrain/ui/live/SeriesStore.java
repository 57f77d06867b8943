package io.myolotrain.ui.live;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All series, within one budget of buckets: the more series there are, the earlier each is thinned. */
final class SeriesStore {
    static final int SERIES_MAX = 50_000; // further names are counted and named in health, not kept
    static final int CAPACITY_MAX = 4_096;
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
        of.add(reading, capacity());
        buckets += of.size() - before;
        if (buckets > bucketBudget) {
            thinAll();
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

    /** Series that get no readings any more hold what they had room for when there were fewer. */
    private void thinAll() {
        int capacity = capacity();
        buckets = 0;
        for (Series of : series.values()) {
            of.thinTo(capacity);
            buckets += of.size();
        }
    }

    private int capacity() {
        return Math.max(CAPACITY_MIN, Math.min(CAPACITY_MAX, bucketBudget / Math.max(1, series.size())));
    }

    private Cuts cuts(String job, String attempt) {
        return cuts.computeIfAbsent(new AttemptKey(job, attempt), key -> new Cuts());
    }
}
