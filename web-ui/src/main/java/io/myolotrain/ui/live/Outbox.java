package io.myolotrain.ui.live;

import io.myolotrain.ui.port.ClusterFeed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What open pages have not heard yet. What changes often is told once per drain; when there is more than a page could use,
 * one reset replaces it all and the page asks for the state.
 */
final class Outbox {
    static final int EVENTS_MAX = 200;
    static final int POINTS_MAX = 4_000;

    private final List<EventRow> events = new ArrayList<>();
    private final Map<String, ChangeView> changes = new LinkedHashMap<>();
    private final Map<SeriesKey, List<Bucket>> points = new TreeMap<>();
    private final Map<String, FrameOf> frames = new TreeMap<>();
    private final TreeSet<String> jobs = new TreeSet<>();
    private final TreeSet<String> progressed = new TreeSet<>();
    private final Map<ClusterFeed.Run, ClusterFeed.RunReading> runs = new LinkedHashMap<>();
    private int pointCount;
    private boolean pool;
    private boolean health;
    private boolean reset;

    record Rows(List<EventRow> rows) {}

    record Ids(List<String> ids) {}

    record ProgressOf(String job, JobView.Progress progress) {}

    /** A name of which there is a newer frame. */
    record FrameOf(String job, String name, long step) {
        String key() {
            return job + " " + name;
        }
    }

    /** How far a run's past is read. */
    record RunOf(String job, String attempt, long upToStep, boolean complete, String problem) {
        static RunOf of(ClusterFeed.RunReading reading) {
            return new RunOf(
                    reading.run().job().value(),
                    reading.run().attempt(),
                    reading.upToStep(),
                    reading.complete(),
                    reading.problem());
        }
    }

    void run(ClusterFeed.RunReading reading) {
        runs.put(reading.run(), reading);
    }

    void event(EventRow row) {
        if (events.size() < EVENTS_MAX) {
            events.add(row);
        } else {
            reset = true;
        }
    }

    void change(ChangeView change) {
        changes.put(change.eventId(), change);
        reset |= changes.size() > ChangeTracker.CHANGES_MAX;
    }

    void point(SeriesKey key, Bucket bucket) {
        if (pointCount < POINTS_MAX) {
            points.computeIfAbsent(key, k -> new ArrayList<>()).add(bucket);
            pointCount++;
        } else {
            reset = true;
        }
    }

    void frame(String job, String name, long step) {
        frames.merge(
                new FrameOf(job, name, step).key(),
                new FrameOf(job, name, step),
                (a, b) -> a.step() > b.step() ? a : b);
    }

    void progress(String job) {
        progressed.add(job);
    }

    void job(String job) {
        jobs.add(job);
    }

    void pool() {
        pool = true;
    }

    void health() {
        health = true;
    }

    void reset() {
        reset = true;
    }

    List<StreamMessage> drain(LiveState state) {
        var messages = new ArrayList<StreamMessage>();
        if (reset) {
            messages.add(StreamMessage.toAll("reset", Map.of()));
        } else {
            tell(state, messages);
        }
        events.clear();
        changes.clear();
        points.clear();
        frames.clear();
        runs.clear();
        jobs.clear();
        progressed.clear();
        pointCount = 0;
        pool = false;
        health = false;
        reset = false;
        return messages;
    }

    private void tell(LiveState state, List<StreamMessage> messages) {
        if (pool) {
            messages.add(StreamMessage.toAll("pool", state.poolView()));
            messages.add(StreamMessage.toAll("jobs", new Ids(state.jobIds())));
        }
        for (String id : jobs) {
            state.job(id).ifPresent(job -> messages.add(StreamMessage.toAll("job", job)));
        }
        progressed.removeAll(jobs);
        for (String job : progressed) {
            JobView.Progress progress = state.progress(job);
            if (progress != null) {
                messages.add(StreamMessage.toAll("progress", new ProgressOf(job, progress)));
            }
        }
        if (!events.isEmpty()) {
            Collections.reverse(events); // newest first, as in a page of the list
            messages.add(StreamMessage.toAll("events", new Rows(List.copyOf(events))));
        }
        changes.values().forEach(change -> messages.add(StreamMessage.toAll("change", change)));
        points.forEach((key, buckets) -> messages.add(new StreamMessage(
                "points", key, new SeriesView.Points(key.job(), key.attempt(), key.name(), Columns.of(buckets)))));
        runs.values().forEach(reading -> messages.add(StreamMessage.toAll("run", RunOf.of(reading))));
        frames.values().forEach(frame -> messages.add(StreamMessage.toAll("frame", frame)));
        if (health) {
            messages.add(StreamMessage.toAll("health", state.health()));
        }
    }
}
