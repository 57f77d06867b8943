package io.myolotrain.topics;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.JournalEntry;

/** Value of the journal; with the offset that the broker gave it, it is a {@link JournalEntry}. */
public record JournalLine(String eventId, long atMs, Event event) {
    public JournalEntry at(long offset) {
        return new JournalEntry(offset, eventId, atMs, event);
    }
}
