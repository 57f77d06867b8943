package io.myolotrain.ui.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The newest rows, oldest dropped first; says how far back it reaches. */
public final class EventLog {
    private final int rowsMax;
    private final ArrayDeque<EventRow> rows = new ArrayDeque<>();
    private long dropped;

    EventLog(int rowsMax) {
        this.rowsMax = rowsMax;
    }

    /** A place in the log, {@code offset-index}. */
    public record Cursor(long offset, int index) implements Comparable<Cursor> {
        static Cursor of(EventRow row) {
            return new Cursor(row.offset(), row.index());
        }

        /** @throws IllegalArgumentException with the rule, when the text is no cursor */
        public static Cursor parse(String text) {
            try {
                int dash = text.indexOf('-');
                return dash < 0
                        ? new Cursor(Long.parseLong(text), 0)
                        : new Cursor(
                                Long.parseLong(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("a place in the log is offset or offset-index", e);
            }
        }

        @Override
        public int compareTo(Cursor other) {
            int byOffset = Long.compare(offset, other.offset);
            return byOffset != 0 ? byOffset : Integer.compare(index, other.index);
        }
    }

    /**
     * @param rows newest first
     * @param oldestKept id of the oldest row in memory, null when there is none
     * @param dropped rows that were older and are only in the topic now
     */
    public record Page(
            List<EventRow> rows, boolean more, @Nullable String oldestKept, long dropped) {}

    void add(EventRow row) {
        rows.addLast(row);
        if (rows.size() > rowsMax) {
            rows.removeFirst();
            dropped++;
        }
    }

    /** Rows strictly between the cursors that match; with {@code after} alone the oldest such rows, else the newest. */
    Page page(@Nullable Cursor before, @Nullable Cursor after, @Nullable String job, String query, int limit) {
        String needle = query.toLowerCase(Locale.ROOT);
        Predicate<EventRow> wanted = row -> (before == null || Cursor.of(row).compareTo(before) < 0)
                && (after == null || Cursor.of(row).compareTo(after) > 0)
                && (job == null || row.job() == null || job.equals(row.job()))
                && (needle.isEmpty() || row.mentions(needle));
        boolean forward = after != null && before == null;
        var found = new ArrayList<EventRow>();
        Iterator<EventRow> walk = forward ? rows.iterator() : rows.descendingIterator();
        boolean more = false;
        while (walk.hasNext() && !more) {
            EventRow row = walk.next();
            if (wanted.test(row)) {
                more = found.size() == limit;
                if (!more) {
                    found.add(row);
                }
            }
        }
        if (forward) {
            Collections.reverse(found);
        }
        EventRow oldest = rows.peekFirst();
        return new Page(found, more, oldest == null ? null : oldest.id(), dropped);
    }

    /** Oldest first. */
    List<EventRow> all() {
        return List.copyOf(rows);
    }

    long dropped() {
        return dropped;
    }

    void restore(List<EventRow> kept, long droppedBefore) {
        kept.forEach(this::add);
        dropped += droppedBefore;
    }

    void clear() {
        rows.clear();
        dropped = 0;
    }

    int size() {
        return rows.size();
    }
}
