package io.myolotrain.ui.port;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.JournalEntry;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The logs themselves, for what is older than memory holds. */
public interface LogArchive extends AutoCloseable {

    /**
     * Runs the reading on the archive's own thread, one after the other. Never blocks the caller; fails when the source does
     * not answer in time or too many wait.
     */
    <T> CompletionStage<T> read(Function<Records, T> reading);

    @Override
    void close();

    /** Logs that can be read. */
    enum Log {
        JOURNAL("journal"),
        DECISIONS("decisions"),
        DEAD_LETTERS("dead-letters");

        private final String topic;

        Log(String topic) {
            this.topic = topic;
        }

        public String topic() {
            return topic;
        }
    }

    /** Blocking; on the archive's thread only. */
    interface Records {
        /** By partition. */
        List<Extent> extents(Log log);

        /** Offset of the first record that the broker received at or after the time; the end when there is none. */
        long firstSince(Log log, int partition, long atMs);

        /** What stands in {@code [from, to)}, in order; there may be fewer records than offsets. */
        List<Line> read(Log log, int partition, long from, long to);
    }

    /** Offsets that are kept: {@code [first, end)}. */
    record Extent(int partition, long first, long end) {}

    /**
     * A record.
     *
     * @param atMs broker's clock
     * @param key pool, or what else the topic is keyed by
     */
    record Line(Log log, int partition, long offset, long atMs, String key, Entry entry) {}

    /** What a record holds. */
    sealed interface Entry {}

    record Journaled(JournalEntry entry) implements Entry {}

    record Decided(Decision decision) implements Entry {}

    record Rejected(String topic, int partition, long offset, String reason) implements Entry {}

    record Unreadable(String reason) implements Entry {}
}
