package io.myolotrain.worker.runtime;

import java.time.Duration;
import java.util.Arrays;

/**
 * Recent step times of this rank, and the deadline that follows from them: a peer that is silent for much longer than a step
 * is hung, and a fixed half minute would be either far too long or too short. Written by the step loop, read by wait loops.
 */
final class StepClock {
    private static final int WINDOW = 32;
    private static final int DEADLINE_STEPS = 20;
    private static final Duration DEADLINE_MIN = Duration.ofSeconds(5);
    private static final Duration DEADLINE_MAX = Duration.ofMinutes(10);
    /** The first steps of a process load code and warm caches; nothing can be said about them yet. */
    private static final Duration DEADLINE_UNKNOWN = Duration.ofSeconds(60);

    private final long[] recentMicros = new long[WINDOW];
    private int count;
    private volatile Duration deadline = DEADLINE_UNKNOWN;
    private volatile long medianMicros;

    void record(long stepMicros) {
        recentMicros[count++ % WINDOW] = stepMicros;
        long[] sorted = Arrays.copyOf(recentMicros, Math.min(count, WINDOW));
        Arrays.sort(sorted);
        medianMicros = sorted[sorted.length / 2];
        if (sorted.length >= 3) {
            Duration wanted = Duration.ofNanos(sorted[sorted.length - 1] * 1_000L * DEADLINE_STEPS);
            deadline = wanted.compareTo(DEADLINE_MIN) < 0
                    ? DEADLINE_MIN
                    : wanted.compareTo(DEADLINE_MAX) > 0 ? DEADLINE_MAX : wanted;
        }
    }

    /** After a change of the world the next steps may take another time. */
    void forget() {
        count = 0;
        deadline = DEADLINE_UNKNOWN;
    }

    Duration deadline() {
        return deadline;
    }

    long medianMicros() {
        return medianMicros;
    }
}
