package io.myolotrain.worker.comm;

import java.time.Duration;

/**
 * How a rank waits for its peers. A sleeping thread costs 15 to 35 µs to wake, a spinning one steals the core that a peer
 * may need; so ranks with a core each spin long, others hardly at all.
 *
 * @param spins polls before the thread sleeps
 * @param wakeUp longest sleep until liveness, abort and deadline are looked at
 */
public record WaitPolicy(int spins, Duration wakeUp) {
    private static final int SPINS_OWN_CORE = 2_000; // about 50 µs
    private static final int SPINS_SHARED_CORE = 200;
    private static final Duration WAKE_UP = Duration.ofMillis(5);

    public WaitPolicy {
        if (spins < 0 || wakeUp.isNegative() || wakeUp.isZero()) {
            throw new IllegalArgumentException("spins must be >= 0, wakeUp > 0: spins=" + spins + " wakeUp=" + wakeUp);
        }
    }

    public static WaitPolicy forRanks(int ranksOnHost, int cores) {
        return new WaitPolicy(ranksOnHost <= cores ? SPINS_OWN_CORE : SPINS_SHARED_CORE, WAKE_UP);
    }
}
