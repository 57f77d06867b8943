package io.myolotrain.coordinator;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a coordinator runs.
 *
 * @param applicationId consumer group, transactional id and prefix of the internal topics; coordinators with the same id
 *     share the pools, each pool being served by one of them
 * @param stateDirectory local copy of the stores; belongs to one process, may be deleted at any time
 */
public record CoordinatorOptions(
        String applicationId, Path stateDirectory, Clocks clocks, Bounds bounds, Conduct conduct) {
    public static final String APPLICATION_ID = "myolotrain-coordinator";

    /**
     * @param workerDeadline a worker that nothing was heard of for longer is lost
     * @param tick how often the clocks are looked at
     * @param futureTolerance a record that claims to be further ahead of our clock is refused
     */
    public record Clocks(Duration workerDeadline, Duration tick, Duration futureTolerance) {
        public Clocks {
            require(tick.toMillis() >= 1, "tick must be >= 1 ms: tick=" + tick);
            require(
                    workerDeadline.toMillis() > 2 * tick.toMillis(),
                    "workerDeadline must be longer than two ticks: workerDeadline=" + workerDeadline + " tick=" + tick);
        }
    }

    /**
     * @param eventBytesMax longer records are refused unread
     * @param rememberedIds event ids that each pool remembers to drop duplicates
     * @param snapshotEvery decisions between two snapshots of a pool's state
     * @param threadReplacementsMax stream threads replaced within ten minutes before the coordinator gives up
     */
    public record Bounds(int eventBytesMax, int rememberedIds, int snapshotEvery, int threadReplacementsMax) {
        public Bounds {
            require(eventBytesMax >= 1, "eventBytesMax must be >= 1: eventBytesMax=" + eventBytesMax);
            require(rememberedIds >= 1, "rememberedIds must be >= 1: rememberedIds=" + rememberedIds);
            require(snapshotEvery >= 1, "snapshotEvery must be >= 1: snapshotEvery=" + snapshotEvery);
        }
    }

    /**
     * @param holdsBack workers that die again and again are held back after each return; off where they are killed on
     *     purpose
     * @param acceptHistoryGap start although events were deleted before they were read
     */
    public record Conduct(boolean holdsBack, boolean acceptHistoryGap) {}

    public static CoordinatorOptions in(Path stateDirectory) {
        return new CoordinatorOptions(
                APPLICATION_ID,
                stateDirectory,
                new Clocks(Duration.ofSeconds(5), Duration.ofMillis(200), Duration.ofHours(1)),
                new Bounds(256 << 10, 100_000, 256, 20),
                new Conduct(true, false));
    }

    public CoordinatorOptions withWorkerDeadline(Duration deadline) {
        var changed = new Clocks(deadline, clocks.tick, clocks.futureTolerance);
        return new CoordinatorOptions(applicationId, stateDirectory, changed, bounds, conduct);
    }

    /** For benchmarks and tests that kill the same workers over and over. */
    public CoordinatorOptions holdingNobodyBack() {
        return with(new Conduct(false, conduct.acceptHistoryGap));
    }

    public CoordinatorOptions acceptingHistoryGap(boolean accept) {
        return with(new Conduct(conduct.holdsBack, accept));
    }

    private CoordinatorOptions with(Conduct changed) {
        return new CoordinatorOptions(applicationId, stateDirectory, clocks, bounds, changed);
    }

    public CoordinatorOptions withSnapshotEvery(int decisions) {
        var changed = new Bounds(bounds.eventBytesMax, bounds.rememberedIds, decisions, bounds.threadReplacementsMax);
        return new CoordinatorOptions(applicationId, stateDirectory, clocks, changed, conduct);
    }

    // A tick that comes late counts as two at most: what lies between was our own sleep, not a worker's silence.
    LivenessTracker livenessTracker() {
        return new LivenessTracker(clocks.workerDeadline.toMillis(), 2 * clocks.tick.toMillis());
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
