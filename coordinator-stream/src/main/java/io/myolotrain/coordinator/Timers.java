package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The deadlines that the coordinator asked for and that have not passed yet. */
final class Timers {
    private final SortedMap<String, Long> dueMs = new TreeMap<>();

    /** A timer that is set again has only its new deadline. */
    void set(String timer, long due) {
        dueMs.put(timer, due);
    }

    void clear(String timer) {
        dueMs.remove(timer);
    }

    /** Takes out what is due, earliest first and by name where deadlines are equal. */
    List<Event.TimerFired> fire(long nowMs) {
        var due = new ArrayList<Event.TimerFired>();
        dueMs.forEach((timer, at) -> {
            if (at <= nowMs) {
                due.add(new Event.TimerFired(timer, at));
            }
        });
        due.forEach(fired -> dueMs.remove(fired.timer()));
        due.sort(Comparator.comparingLong(Event.TimerFired::atMs).thenComparing(Event.TimerFired::timer));
        return due;
    }
}
