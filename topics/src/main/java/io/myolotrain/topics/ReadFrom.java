package io.myolotrain.topics;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Where a reader starts in each partition. */
public sealed interface ReadFrom {

    /** The oldest record that is kept. */
    record Beginning() implements ReadFrom {}

    /** Offset 0: a log that lost its start is reported as a gap. */
    record CompleteHistory() implements ReadFrom {}

    /** What is written from now on. */
    record End() implements ReadFrom {}

    /** Next offset to read, by partition; partitions without one start at offset 0. */
    record Offsets(SortedMap<Integer, Long> nextByPartition) implements ReadFrom {
        public Offsets {
            nextByPartition = Collections.unmodifiableSortedMap(new TreeMap<>(nextByPartition));
        }
    }

    /** The first record that the broker received at or after this time. */
    record Timestamp(long unixMs) implements ReadFrom {}

    static ReadFrom beginning() {
        return new Beginning();
    }

    static ReadFrom completeHistory() {
        return new CompleteHistory();
    }

    static ReadFrom end() {
        return new End();
    }

    static ReadFrom offsets(SortedMap<Integer, Long> nextByPartition) {
        return new Offsets(nextByPartition);
    }

    static ReadFrom timestamp(long unixMs) {
        return new Timestamp(unixMs);
    }
}
