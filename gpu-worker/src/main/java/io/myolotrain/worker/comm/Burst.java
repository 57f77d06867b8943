package io.myolotrain.worker.comm;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Who dies rarely dies alone: a host takes its processes with it, within the time that the kernel needs to clear their
 * memory away. So who finds one dead waits until no further one follows; one report names them all, and one plan is made.
 */
final class Burst {
    /** So long must no further peer die before those that did are named. */
    private static final Duration QUIET = Duration.ofMillis(20);

    private static final Duration MAX = Duration.ofMillis(200);

    private Burst() {}

    /**
     * @param dead asked again and again; whoever it named once is expected to stay
     * @param look pause between two looks, at most a few milliseconds where a look is cheap
     * @return what it said last; at once when nobody is dead
     */
    static List<Integer> over(Supplier<List<Integer>> dead, Duration look) {
        List<Integer> known = dead.get();
        long startNanos = System.nanoTime();
        long changedNanos = startNanos;
        boolean settled = known.isEmpty();
        while (!settled && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(look.toNanos());
            List<Integer> now = dead.get();
            long nanos = System.nanoTime();
            if (now.size() != known.size()) {
                changedNanos = nanos;
            }
            known = now;
            settled = nanos - changedNanos >= QUIET.toNanos() || nanos - startNanos >= MAX.toNanos();
        }
        return known;
    }
}
