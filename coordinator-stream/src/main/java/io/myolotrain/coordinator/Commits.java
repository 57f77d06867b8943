package io.myolotrain.coordinator;

import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * Ends a processor's transactions early. What is urgent commits at once, but no more often than each {@link #SPACING_MS}: a
 * transaction takes several milliseconds, and a backlog in which everything is urgent must not cost one for each record. One
 * thread.
 */
final class Commits {
    static final long SPACING_MS = 5;

    private final ProcessorContext<?, ?> context;
    private long lastMs = Long.MIN_VALUE;
    private boolean due;

    Commits(ProcessorContext<?, ?> context) {
        this.context = context;
        context.schedule(Duration.ofMillis(SPACING_MS), PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    /** What was forwarded so far is to be seen by others soon. */
    void soon() {
        long nowMs = context.currentSystemTimeMs();
        if (lastMs == Long.MIN_VALUE || Math.abs(nowMs - lastMs) >= SPACING_MS) { // a clock may be set back
            commit(nowMs);
        } else {
            due = true;
        }
    }

    private void tick(long nowMs) {
        if (due) {
            commit(nowMs);
        }
    }

    private void commit(long nowMs) {
        due = false;
        lastMs = nowMs;
        context.commit();
    }
}
