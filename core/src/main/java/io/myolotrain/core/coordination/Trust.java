package io.myolotrain.core.coordination;

import io.myolotrain.core.model.WorkerRef;
import java.util.Optional;

/**
 * How far a worker that has died before is trusted. Its first return is free; a worker that dies again and again comes
 * back into the pool at once and into a plan later, so that the others are not disturbed by each of its lives:
 *
 * <pre>
 *  deaths        1     2     3     4     5    6 and more
 *  cool-down     0    10    20    40    80   100 s, from its return; it must stay up for that long
 * </pre>
 *
 * Nobody is shut out for good: {@link #STABLE_MS} after its last death a worker starts with a clean record.
 */
final class Trust {
    static final long STABLE_MS = 600_000;
    static final long COOL_DOWN_FIRST_MS = 10_000;
    static final long COOL_DOWN_MAX_MS = 100_000;
    private static final int DOUBLINGS_MAX = 4; // 160 s, beyond the cap

    private static final String TIMER = "readmit:";

    private Trust() {}

    /** Deaths to remember when this life ends now. */
    static int deaths(Optional<WorkerPast> past, long atMs, boolean asked) {
        int before = past.filter(p -> isRecent(p, atMs)).map(WorkerPast::deaths).orElse(0);
        return asked || before == Integer.MAX_VALUE ? before : before + 1;
    }

    /** How long a worker with this past stays out of plans when it returns now, 0 = not at all. */
    static long coolDownMs(WorkerPast past, long atMs) {
        if (past.deaths() < 2 || !isRecent(past, atMs)) {
            return 0;
        }
        int doublings = Math.min(past.deaths() - 2, DOUBLINGS_MAX);
        return Math.min(COOL_DOWN_MAX_MS, COOL_DOWN_FIRST_MS << doublings);
    }

    /** Until then an end counts: for the cool-down, and as a fence against a join that comes late. */
    static boolean isRecent(WorkerPast past, long atMs) {
        return atMs - past.endedAtMs() < STABLE_MS;
    }

    /** The timer that ends the cool-down; the worker is held back for as long as it is set. */
    static String timer(WorkerRef worker) {
        return TIMER + worker;
    }
}
