package io.myolotrain.coordinator;

import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who has been silent for longer than the deadline.
 *
 * <p>Silence is evidence only while we listen. So the tracker has a clock of its own, which advances by what passes
 * between two ticks but never by more than {@code tickMaxMs}: a coordinator that was down, was stopped or was starved
 * comes back to workers that are as silent as they were when it stopped listening, and hears them before it judges them.
 * While the log itself is out of reach, nobody can be heard, and everybody gets the whole deadline again. And where nobody
 * at all is heard, workers that died cannot be told from workers whose way to the log is cut and which train on; nobody is
 * there to take over, so nothing is gained by giving up what they hold, and they get {@code SILENT_POOL_DEADLINES}.
 */
final class LivenessTracker {
    static final int SILENT_POOL_DEADLINES = 24;

    private final long deadlineMs;
    private final long tickMaxMs;
    private final SortedMap<WorkerRef, Long> heardAt = new TreeMap<>();
    private long listenedMs;
    private long lastTickMs = Long.MIN_VALUE;
    private boolean poolWasSilent;

    /** A watched worker from which nothing was heard for {@code silentMs} of listening. */
    record Lost(WorkerRef worker, long silentMs) {}

    LivenessTracker(long deadlineMs, long tickMaxMs) {
        if (tickMaxMs < 1 || deadlineMs <= tickMaxMs) {
            throw new IllegalArgumentException("the deadline must be longer than the longest tick, and that >= 1 ms:"
                    + " deadlineMs=" + deadlineMs + " tickMaxMs=" + tickMaxMs);
        }
        this.deadlineMs = deadlineMs;
        this.tickMaxMs = tickMaxMs;
    }

    long deadlineMs() {
        return deadlineMs;
    }

    void watch(WorkerRef worker) {
        heardAt.put(worker, listenedMs);
    }

    void forget(WorkerRef worker) {
        heardAt.remove(worker);
    }

    /** A sign of life; of a worker that nobody asked to watch it means nothing. */
    void heard(WorkerRef worker) {
        heardAt.computeIfPresent(worker, (w, before) -> Math.max(before, listenedMs));
    }

    /** As if they had been heard {@code nextSignMs} from now: their silence begins then. */
    void vouchedFor(Collection<WorkerRef> workers, long nextSignMs) {
        workers.forEach(
                worker -> heardAt.computeIfPresent(worker, (w, before) -> Math.max(before, listenedMs + nextSignMs)));
    }

    /** Nobody vouches for them any more: from now on their own signs count. */
    void onTheirOwn(Collection<WorkerRef> workers) {
        workers.forEach(worker -> heardAt.computeIfPresent(worker, (w, before) -> Math.min(before, listenedMs)));
    }

    /** @return the newly lost; one that stays watched is reported again after another deadline of silence */
    List<Lost> tick(long nowMs, boolean logReachable) {
        if (lastTickMs != Long.MIN_VALUE) {
            listenedMs += Math.max(0, Math.min(tickMaxMs, nowMs - lastTickMs));
        }
        lastTickMs = nowMs;
        if (!logReachable) {
            giveEverybodyTheDeadlineAgain();
            return List.of();
        }
        boolean somebodyIsHeard = heardAt.values().stream().anyMatch(at -> listenedMs - at <= deadlineMs);
        if (somebodyIsHeard && poolWasSilent) {
            giveEverybodyTheDeadlineAgain(); // who is heard a moment later is not later than that
        }
        poolWasSilent = !somebodyIsHeard;
        long patienceMs = somebodyIsHeard ? deadlineMs : SILENT_POOL_DEADLINES * deadlineMs;
        var lost = new ArrayList<Lost>();
        heardAt.replaceAll((worker, before) -> {
            long silentMs = listenedMs - before;
            if (silentMs <= patienceMs) {
                return before;
            }
            lost.add(new Lost(worker, silentMs));
            return listenedMs;
        });
        return lost;
    }

    private void giveEverybodyTheDeadlineAgain() {
        heardAt.replaceAll((worker, before) -> Math.max(before, listenedMs));
    }
}
