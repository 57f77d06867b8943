package io.myolotrain.topics;

import io.myolotrain.core.model.PoolId;

/** What stands in the three topics that everyone may write: an event or a sign of life, with its sender. */
public sealed interface Ingress permits EventIngress, HeartbeatIngress {
    Header header();

    /**
     * @param eventId chosen by the producer, unique for ever; the sequencer lets each id pass once
     * @param sender worker id, or the name of a person or program
     * @param sentAtMs sender's clock, Unix milliseconds; information only
     */
    record Header(String eventId, PoolId pool, String sender, long sentAtMs) {
        /** Longer ids and names are refused: the sequencer remembers every id. */
        public static final int LENGTH_MAX = 200;

        public Header {
            checkLength("eventId", eventId);
            checkLength("sender", sender);
        }

        private static void checkLength(String field, String value) {
            if (value.isBlank() || value.length() > LENGTH_MAX) {
                throw new IllegalArgumentException(
                        field + " must have 1 to " + LENGTH_MAX + " characters: length=" + value.length());
            }
        }
    }
}
