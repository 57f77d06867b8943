package io.myolotrain.ui.live;

import io.myolotrain.ui.port.ClusterFeed;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * How much the page can be trusted: where the data comes from, how far it was read, what was left out.
 *
 * @param lagRecords by topic: written but not read yet
 * @param foldProblem why a decision could not be folded, empty normally; what is shown of its job may be old then
 */
public record HealthView(
        Status status,
        String pool,
        ClusterFeed.Source source,
        String problem,
        SortedMap<String, Long> lagRecords,
        long lagTotal,
        DeadLetters deadLetters,
        @Nullable Long lastEventAtMs,
        long lastOffset,
        int series,
        long seriesNotKept,
        long framesNotKept,
        int eventsKept,
        String foldProblem,
        long startedAtMs,
        long nowMs) {

    public enum Status {
        OK("ok"),
        CATCHING_UP("catching-up"),
        UNREACHABLE("unreachable");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        @com.fasterxml.jackson.annotation.JsonValue
        public String text() {
            return text;
        }
    }

    /** @param latest newest first */
    public record DeadLetters(long count, List<DeadLetter> latest) {
        public DeadLetters {
            latest = List.copyOf(latest);
        }
    }

    public record DeadLetter(String topic, int partition, long offset, long atMs, String reason) {}
}
