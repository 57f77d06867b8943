package io.myolotrain.core.diagnosis;

import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.model.WorkerRef;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The latest heartbeat of each life of a worker. Ages are differences of the log's time stamps, so that clocks of other
 * machines do not matter; the reader's clock only tells how long the log has been quiet. Not thread-safe.
 */
public final class Heartbeats {
    private record Beat(Heartbeat heartbeat, long atMs) {}

    private final Map<WorkerRef, Beat> beats = new TreeMap<>();
    private long newestMs = Long.MIN_VALUE;
    private long newestReadMs;

    /**
     * @param atMs the log's time stamp
     * @param nowMs the reader's clock
     */
    public void hear(Heartbeat heartbeat, long atMs, long nowMs) {
        passed(atMs, nowMs);
        beats.put(heartbeat.worker(), new Beat(heartbeat, atMs));
    }

    /** Something else stood in the log: it tells what time it is there. */
    public void passed(long atMs, long nowMs) {
        if (atMs >= newestMs) {
            newestMs = atMs;
            newestReadMs = nowMs;
        }
    }

    /** Forgets those that nobody asks for any more. */
    public void retain(Predicate<WorkerRef> wanted) {
        beats.keySet().removeIf(wanted.negate());
    }

    public void clear() {
        beats.clear();
        newestMs = Long.MIN_VALUE;
    }

    public Map<WorkerRef, Heard> heard(long nowMs) {
        var heard = new TreeMap<WorkerRef, Heard>();
        beats.forEach((worker, beat) -> heard.put(
                worker,
                new Heard(
                        Math.max(0, newestMs - beat.atMs() + nowMs - newestReadMs),
                        beat.heartbeat().activity())));
        return heard;
    }
}
