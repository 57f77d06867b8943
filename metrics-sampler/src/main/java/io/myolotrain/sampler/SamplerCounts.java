package io.myolotrain.sampler;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What happened since this process started, by name. Written by stream threads, read by the health page. */
final class SamplerCounts {
    static final String RECORDS = "records";
    static final String READINGS = "readings";
    static final String FRAMES = "frames";
    static final String POINTS = "points";
    static final String UNREADABLE = "rejected.unreadable";

    private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();

    /** For who counts each record: looked up once. */
    LongAdder of(String what) {
        return counts.computeIfAbsent(what, w -> new LongAdder());
    }

    void count(String what, long more) {
        of(what).add(more);
    }

    void dropped(String reason, long count) {
        count("dropped." + reason, count);
    }

    SortedMap<String, Long> all() {
        var copy = new TreeMap<String, Long>();
        counts.forEach((what, count) -> copy.put(what, count.sum()));
        return copy;
    }
}
