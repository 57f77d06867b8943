package io.myolotrain.sampler;

/**
 * When to commit: what is published is seen only then, and a commit stores what is open and waits for the broker. A sampler
 * that keeps up commits at each flush; with a backlog that would take a third of its time, and nobody sees a delay of its
 * own. Used by one thread.
 */
final class CommitPace {
    /** A reading that was written longer ago was read from a backlog. */
    static final long BEHIND_MS = 2_000;

    static final long PAUSE_BEHIND_MS = 1_000;

    private boolean uncommitted;
    private long committedAtMs = Long.MIN_VALUE / 2;
    private long writtenAtMs;

    /** @param recordAtMs when the record was written */
    void read(long recordAtMs) {
        uncommitted = true;
        writtenAtMs = recordAtMs;
    }

    void published() {
        uncommitted = true;
    }

    /** Whether a commit is due after this flush; if so it is on its way. */
    boolean isDue(long nowMs) {
        boolean behind = nowMs - writtenAtMs > BEHIND_MS;
        if (!uncommitted || (behind && nowMs - committedAtMs < PAUSE_BEHIND_MS)) {
            return false;
        }
        uncommitted = false;
        committedAtMs = nowMs;
        return true;
    }
}
