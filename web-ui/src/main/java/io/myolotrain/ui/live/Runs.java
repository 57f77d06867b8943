package io.myolotrain.ui.live;

import io.myolotrain.ui.port.ClusterFeed.Run;
import io.myolotrain.ui.port.ClusterFeed.RunReading;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Which runs somebody looks at, and how far the past of each is read. Only those are fed with what was measured. */
final class Runs {
    /** Runs whose begin is remembered; of one that is forgotten the log is searched from its start. */
    static final int REMEMBERED_MAX = 10_000;
    /** The feed hears at most so often that a run is still looked at. */
    static final long TELL_EVERY_MS = 1_000;

    private final LiveState.RunOpener opener;
    private final LongSupplier clockMs;
    private final Map<Run, Extent> extents = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Run, Extent> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };
    private final Map<Run, Open> open = new HashMap<>(); // looked up only

    /**
     * @param reading how far the past is read
     * @param toldAtMs when the feed heard last that somebody looks
     */
    private record Open(RunReading reading, long toldAtMs) {}

    private static final class Extent {
        final long sinceMs;
        long lastMs;

        Extent(long sinceMs) {
            this.sinceMs = sinceMs;
            this.lastMs = sinceMs;
        }
    }

    Runs(LiveState.RunOpener opener, LongSupplier clockMs) {
        this.opener = opener;
        this.clockMs = clockMs;
    }

    void began(Run run, long atMs) {
        extents.put(run, new Extent(atMs));
    }

    List<Kept.Extent> kept() {
        return extents.entrySet().stream()
                .map(e -> new Kept.Extent(e.getKey(), e.getValue().sinceMs, e.getValue().lastMs))
                .toList();
    }

    void restore(List<Kept.Extent> kept) {
        for (Kept.Extent of : kept) {
            began(of.run(), of.sinceMs());
            active(of.run(), of.lastMs());
        }
    }

    void active(Run run, long atMs) {
        Extent extent = extents.get(run);
        if (extent != null) {
            extent.lastMs = Math.max(extent.lastMs, atMs);
        }
    }

    /** @param over nothing more will be measured */
    void lookedAt(Run run, boolean over) {
        long nowMs = clockMs.getAsLong();
        Open known = open.get(run);
        if (known != null && nowMs - known.toldAtMs < TELL_EVERY_MS && nowMs >= known.toldAtMs) {
            return;
        }
        open.put(run, new Open(known == null ? new RunReading(run, -1, false, "") : known.reading, nowMs));
        Extent extent = extents.get(run);
        opener.open(run, extent == null ? 0 : extent.sinceMs, over && extent != null ? extent.lastMs : Long.MAX_VALUE);
    }

    void reading(RunReading now) {
        open.computeIfPresent(now.run(), (run, known) -> new Open(now, known.toldAtMs));
    }

    void closed(Run run) {
        open.remove(run);
    }

    void clear() {
        extents.clear();
        open.clear();
    }

    /** How far the run's past is read; empty when all of it is, and of a run that nobody has looked at. */
    Optional<RunReading> unread(Run run) {
        return Optional.ofNullable(open.get(run)).map(Open::reading).filter(reading -> !reading.complete());
    }
}
