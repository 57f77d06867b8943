package io.myolotrain.coordinator;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a coordinator runs.
 *
 * @param applicationId consumer group, transactional id and prefix of the internal topics; coordinators with the same id
 *     share the pools, each pool being served by one of them
 * @param stateDirectory local copy of the stores; belongs to one process, may be deleted at any time
 * @param workerDeadline a worker that nothing was heard of for longer is lost
 * @param tick how often the clocks are looked at
 * @param futureTolerance a record that claims to be further ahead of our clock is refused
 * @param eventBytesMax longer records are refused unread
 * @param rememberedIds event ids that each pool remembers to drop duplicates
 * @param snapshotEvery decisions between two snapshots of a pool's state
 * @param holdsBack workers that die again and again are held back after each return; off where they are killed on purpose
 * @param acceptHistoryGap start although events were deleted before they were read
 * @param threadReplacementsMax stream threads replaced within ten minutes before the coordinator gives up
 */
public record CoordinatorOptions(
        String applicationId,
        Path stateDirectory,
        Duration workerDeadline,
        Duration tick,
        Duration futureTolerance,
        int eventBytesMax,
        int rememberedIds,
        int snapshotEvery,
        int threadReplacementsMax,
        boolean holdsBack,
        boolean acceptHistoryGap) {
    public static final String APPLICATION_ID = "myolotrain-coordinator";

    public CoordinatorOptions {
        require(eventBytesMax >= 1, "eventBytesMax must be >= 1: eventBytesMax=" + eventBytesMax);
        require(rememberedIds >= 1, "rememberedIds must be >= 1: rememberedIds=" + rememberedIds);
        require(snapshotEvery >= 1, "snapshotEvery must be >= 1: snapshotEvery=" + snapshotEvery);
        require(tick.toMillis() >= 1, "tick must be >= 1 ms: tick=" + tick);
        require(
                workerDeadline.toMillis() > 2 * tick.toMillis(),
                "workerDeadline must be longer than two ticks: workerDeadline=" + workerDeadline + " tick=" + tick);
    }

    public static CoordinatorOptions in(Path stateDirectory) {
        return new CoordinatorOptions(
                APPLICATION_ID,
                stateDirectory,
                Duration.ofSeconds(5),
                Duration.ofMillis(200),
                Duration.ofHours(1),
                256 << 10,
                100_000,
                256,
                20,
                true,
                false);
    }

    public CoordinatorOptions withWorkerDeadline(Duration deadline) {
        return new CoordinatorOptions(
                applicationId,
                stateDirectory,
                deadline,
                tick,
                futureTolerance,
                eventBytesMax,
                rememberedIds,
                snapshotEvery,
                threadReplacementsMax,
                holdsBack,
                acceptHistoryGap);
    }

    /** For benchmarks and tests that kill the same workers over and over. */
    public CoordinatorOptions holdingNobodyBack() {
        return new CoordinatorOptions(
                applicationId,
                stateDirectory,
                workerDeadline,
                tick,
                futureTolerance,
                eventBytesMax,
                rememberedIds,
                snapshotEvery,
                threadReplacementsMax,
                false,
                acceptHistoryGap);
    }

    public CoordinatorOptions acceptingHistoryGap(boolean accept) {
        return new CoordinatorOptions(
                applicationId,
                stateDirectory,
                workerDeadline,
                tick,
                futureTolerance,
                eventBytesMax,
                rememberedIds,
                snapshotEvery,
                threadReplacementsMax,
                holdsBack,
                accept);
    }

    public CoordinatorOptions withSnapshotEvery(int decisions) {
        return new CoordinatorOptions(
                applicationId,
                stateDirectory,
                workerDeadline,
                tick,
                futureTolerance,
                eventBytesMax,
                rememberedIds,
                decisions,
                threadReplacementsMax,
                holdsBack,
                acceptHistoryGap);
    }

    // A tick that comes late counts as two at most: what lies between was our own sleep, not a worker's silence.
    LivenessTracker livenessTracker() {
        return new LivenessTracker(workerDeadline.toMillis(), 2 * tick.toMillis());
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
