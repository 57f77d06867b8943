package io.myolotrain.ui.live;

import io.myolotrain.ui.port.ClusterFeed.Run;
import io.myolotrain.ui.port.ClusterFeed.RunReading;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
    private final Map<Run, RunReading> readings = new HashMap<>(); // of open runs; looked up only
    private final Map<Run, Long> toldAtMs = new HashMap<>(); // of open runs; looked up only

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

    void active(Run run, long atMs) {
        Extent extent = extents.get(run);
        if (extent != null) {
            extent.lastMs = Math.max(extent.lastMs, atMs);
        }
    }

    /** @param over nothing more will be measured */
    void lookedAt(Run run, boolean over) {
        long nowMs = clockMs.getAsLong();
        Long told = toldAtMs.get(run);
        if (told != null && nowMs - told < TELL_EVERY_MS && nowMs >= told) {
            return;
        }
        toldAtMs.put(run, nowMs);
        readings.putIfAbsent(run, new RunReading(run, -1, false, ""));
        Extent extent = extents.get(run);
        opener.open(run, extent == null ? 0 : extent.sinceMs, over && extent != null ? extent.lastMs : Long.MAX_VALUE);
    }

    void reading(RunReading now) {
        readings.put(now.run(), now);
    }

    void closed(Run run) {
        readings.remove(run);
        toldAtMs.remove(run);
    }

    void clear() {
        extents.clear();
        readings.clear();
        toldAtMs.clear();
    }

    /** How far the run's past is read; empty when all of it is, and of a run that nobody has looked at. */
    Optional<RunReading> unread(Run run) {
        return Optional.ofNullable(readings.get(run)).filter(reading -> !reading.complete());
    }
}
