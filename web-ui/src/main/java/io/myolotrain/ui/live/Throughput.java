package io.myolotrain.ui.live;

import java.util.ArrayDeque;

/** Rate of a growing count over the newest seconds, from the log's own times. */
final class Throughput {
    private static final int MARKS_MAX = 512; // faster progress is thinned by dropping the oldest marks
    private static final int MARKS_MIN = 4; // slow steps: look back over at least so many

    private final long windowMs;
    private final ArrayDeque<Mark> marks = new ArrayDeque<>();

    private record Mark(long atMs, long count) {}

    Throughput(long windowMs) {
        this.windowMs = windowMs;
    }

    void add(long atMs, long count) {
        Mark newest = marks.peekLast();
        if (newest != null && (count < newest.count || atMs < newest.atMs)) {
            marks.clear(); // steps are run again after a resume
        }
        marks.addLast(new Mark(atMs, count));
        while (marks.size() > MARKS_MAX || (marks.size() > MARKS_MIN && marks.peekFirst().atMs < atMs - windowMs)) {
            marks.removeFirst();
        }
    }

    /** NaN until two moments are known. */
    double perSecond() {
        Mark first = marks.peekFirst();
        Mark last = marks.peekLast();
        if (first == null || last == null || last.atMs == first.atMs) {
            return Double.NaN;
        }
        return (last.count - first.count) * 1_000.0 / (last.atMs - first.atMs);
    }
}
