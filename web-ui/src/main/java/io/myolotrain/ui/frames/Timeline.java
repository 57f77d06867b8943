package io.myolotrain.ui.frames;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ranks × time.
 *
 * @param firstKept oldest step that is kept
 * @param beginMicros of everything, Unix microseconds by the ranks' own clocks; the times of spans count from here
 * @param ranks by rank
 * @param spans in no promised order
 * @param commonCollectives of more than one rank; none, and nobody can have waited
 * @param stragglers ranks that the others waited for noticeably, the one that cost most first
 * @param slowest collective that took longest after all ranks had arrived, null when there was none
 */
public record Timeline(
        long firstKept,
        long lastKept,
        List<Step> steps,
        long beginMicros,
        long endMicros,
        List<Lane> ranks,
        List<Bar> spans,
        int commonCollectives,
        List<Straggler> stragglers,
        @Nullable Slowest slowest) {

    public record Step(long step, long generation, long beginMicros, long endMicros) {}

    /**
     * One rank over the window.
     *
     * @param communicationMicros in collectives
     * @param exposedMicros of these, without any computation beside them
     * @param exposedShare of the time of the steps
     * @param lateCount collectives that this rank joined last
     * @param lateMicros mean time that it came after the first one then
     */
    public record Lane(
            int rank,
            String worker,
            long stepMicros,
            long communicationMicros,
            long exposedMicros,
            double exposedShare,
            int lateCount,
            long lateMicros) {}

    /**
     * @param lane place in {@code ranks}
     * @param operation of the collective, null for computation
     */
    public record Bar(
            int lane,
            long step,
            String phase,
            long beginMicros,
            long endMicros,
            @Nullable String operation,
            @Nullable Long sequence,
            @Nullable Long bytes) {}

    /**
     * @param share of the common collectives that it joined last
     * @param meanLateMicros that it came after the first one then
     * @param waitedShare of the steps' time that the first one waited for it
     */
    public record Straggler(int rank, String worker, double share, long meanLateMicros, double waitedShare) {}

    /**
     * @param micros from the last arrival to the last end
     * @param waitMicros from the first arrival to the last
     * @param lastRank who came last
     */
    public record Slowest(
            String operation,
            long sequence,
            long step,
            long bytes,
            long micros,
            long waitMicros,
            int lastRank,
            String lastWorker) {}
}
