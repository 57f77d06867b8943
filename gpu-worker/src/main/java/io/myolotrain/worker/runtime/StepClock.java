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
    /** A rank of a busy machine may get no processor for a second; a healthy one that is given up costs a plan. */
    private static final Duration DEADLINE_MIN = Duration.ofSeconds(3);

    private static final Duration DEADLINE_MAX = Duration.ofMinutes(10);
    /** The first steps of a process load code and warm caches; nothing can be said about them yet. */
    private static final Duration DEADLINE_UNKNOWN = Duration.ofSeconds(60);

    /** In a world of another size a step may take several times as long, not dozens of times. */
    private static final int NEW_WORLD = 4;

    private final long[] recentMicros = new long[WINDOW];
    private int count;
    /** Of the last world in which enough steps were seen. */
    private Duration steady = DEADLINE_UNKNOWN;

    private volatile Duration deadline = DEADLINE_UNKNOWN;
    private volatile long medianMicros;

    void record(long stepMicros) {
        recentMicros[count++ % WINDOW] = stepMicros;
        long[] sorted = Arrays.copyOf(recentMicros, Math.min(count, WINDOW));
        Arrays.sort(sorted);
        medianMicros = sorted[sorted.length / 2];
        if (sorted.length >= 3) {
            long wantedNanos = sorted[sorted.length - 1] * 1_000L * DEADLINE_STEPS;
            steady = Duration.ofNanos(Math.max(DEADLINE_MIN.toNanos(), Math.min(DEADLINE_MAX.toNanos(), wantedNanos)));
            deadline = steady;
        }
    }

    /** After a change of the world the next steps may take another time, which the last ones bound. */
    void forget() {
        count = 0;
        long wantedNanos = Math.min(DEADLINE_UNKNOWN.toNanos(), steady.toNanos() * NEW_WORLD);
        deadline = Duration.ofNanos(Math.max(steady.toNanos(), wantedNanos));
    }

    Duration deadline() {
        return deadline;
    }

    long medianMicros() {
        return medianMicros;
    }
}
