package io.myolotrain.coordinator;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** What happened since this process started, by name. Written by stream threads, read by the health page. */
final class Counters {
    static final String SEQUENCED = "sequenced";
    static final String DUPLICATES = "duplicates";
    static final String DECIDED = "decided";
    static final String PLANS = "plans";
    static final String WORKERS_LOST = "workersLost";
    static final String TIMERS_FIRED = "timersFired";
    static final String JOURNAL_MADE_ANEW = "journalMadeAnew";
    static final String THREADS_REPLACED = "threadsReplaced";
    /** Minutes in which silence counted for nothing because news were old when they were read. */
    static final String SILENCE_IGNORED = "silenceIgnored";

    private static final String REJECTED = "rejected.";

    private final ConcurrentSkipListMap<String, LongAdder> counts = new ConcurrentSkipListMap<>();

    void count(String what) {
        count(what, 1);
    }

    void count(String what, long times) {
        counts.computeIfAbsent(what, w -> new LongAdder()).add(times);
    }

    void rejected(Rejection.Rule rule) {
        count(REJECTED + rule.label());
    }

    SortedMap<String, Long> all() {
        var copy = new TreeMap<String, Long>();
        counts.forEach((what, count) -> copy.put(what, count.sum()));
        return copy;
    }

    long rejectedInAll() {
        return counts.tailMap(REJECTED).entrySet().stream()
                .takeWhile(e -> e.getKey().startsWith(REJECTED))
                .mapToLong(e -> e.getValue().sum())
                .sum();
    }
}
