package io.myolotrain.topics;

/** What a {@link TopicReader} tells. All calls come from the reader's thread, in offset order within a partition. */
@FunctionalInterface
public interface TopicListener<V> {

    /**
     * @param key as UTF-8; empty when the record has none
     * @param atMs broker's clock, Unix milliseconds
     */
    record Received<V>(int partition, long offset, long atMs, String key, V value) {}

    /** A record without a value: the key's state is gone. */
    record Deleted(int partition, long offset, String key) {}

    @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
    record Undecodable(int partition, long offset, String key, byte[] bytes, String reason) {}

    /**
     * Records that are asked for and are not there: {@code [wantedOffset, firstKeptOffset)} was deleted; or, when
     * {@code firstKeptOffset < wantedOffset}, the log ends before the wanted offset: the topic was created anew.
     */
    record Gap(String topic, int partition, long wantedOffset, long firstKeptOffset) {
        @Override
        public String toString() {
            return firstKeptOffset > wantedOffset
                    ? "records " + wantedOffset + " to " + (firstKeptOffset - 1) + " of " + topic + "-" + partition
                            + " are gone"
                    : topic + "-" + partition + " ends before offset " + wantedOffset
                            + ": the topic was created anew; its records start at " + firstKeptOffset;
        }
    }

    enum AtGap {
        /** The reader stops; {@link #onStopped} and {@code caughtUp()} carry {@link HistoryGone}. */
        STOP,
        /** Goes on at the first record that is there. */
        SKIP
    }

    void onRecord(Received<V> record);

    /**
     * Asked before a record is decoded: what is not wanted costs no more than its bytes, and is not told in any way.
     *
     * @param key as UTF-8; empty when the record has none
     * @param atMs broker's clock, Unix milliseconds
     */
    default boolean wants(int partition, long atMs, String key) {
        return true;
    }

    default void onDeleted(Deleted record) {}

    /** The reader has logged and counted it, and goes on. */
    default void onUndecodable(Undecodable record) {}

    /** Never jumps without being told to. */
    default AtGap onGap(Gap gap) {
        return AtGap.STOP;
    }

    /** The reader has ended by an error, its own or one that a callback threw; not called by a close. */
    default void onStopped(Exception cause) {}
}
