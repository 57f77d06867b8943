package io.myolotrain.coordinator;

import org.jspecify.annotations.Nullable;

/**
 * A record as it came in from a topic.
 *
 * @param producedAtMs the record's own time, Unix milliseconds
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
record Arrival(
        String topic, int partition, long offset, @Nullable String key, byte @Nullable [] value, long producedAtMs) {

    int bytes() {
        return value == null ? 0 : value.length;
    }
}
