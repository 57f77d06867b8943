package io.myolotrain.topics;

import java.util.Arrays;
import java.util.Objects;

/**
 * A record that could not be read or was not allowed in.
 *
 * @param offset where it stood in {@code topic}
 * @param reason the rule that it breaks, for people
 * @param bytes its value as it was; empty for a tombstone
 * @param atMs clock of the component that rejected it, Unix milliseconds
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below; nobody writes into it
public record DeadLetter(String topic, int partition, long offset, String reason, byte[] bytes, long atMs) {
    @Override
    public boolean equals(Object other) {
        return other instanceof DeadLetter that
                && topic.equals(that.topic)
                && partition == that.partition
                && offset == that.offset
                && reason.equals(that.reason)
                && Arrays.equals(bytes, that.bytes)
                && atMs == that.atMs;
    }

    @Override
    public int hashCode() {
        return Objects.hash(topic, partition, offset, reason, Arrays.hashCode(bytes), atMs);
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset + " " + reason + " bytes=" + bytes.length;
    }
}
