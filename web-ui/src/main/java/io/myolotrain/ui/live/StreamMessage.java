package io.myolotrain.ui.live;

import org.jspecify.annotations.Nullable;

/**
 * Something that open pages should hear.
 *
 * @param type SSE event name
 * @param series set when only those who watch this series want it
 */
public record StreamMessage(String type, @Nullable SeriesKey series, Object body) {
    static StreamMessage toAll(String type, Object body) {
        return new StreamMessage(type, null, body);
    }
}
