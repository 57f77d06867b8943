package io.myolotrain.coordinator;

import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * Ends a processor's transactions early. What is urgent commits at once, unless a commit has just been made: then it waits for
 * as long as that one took. So at most half of the time goes into commits, however slow broker and machine are, and a backlog
 * in which everything is urgent, such as a thousand workers that join, does not cost a transaction for each record. One thread.
 *
 * <pre>
 *   urgent   urgent, urgent, urgent            urgent
 *     └─ commit ─┘└──── rest ────┘└─ commit ─┘   └─ commit ─ …
 * </pre>
 */
final class Commits {
    /** Shortest time from one to the next; also how late one may be that waited. */
    static final long SPACING_MS = 5;

    /** A commit that took longer, as while the broker was away, says nothing about the next one. */
    static final long REST_MAX_MS = CommitPolicy.INTERVAL_MS;

    private final ProcessorContext<?, ?> context;
    private long requestedMs;
    private long restsUntilMs = Long.MIN_VALUE;
    private boolean underWay;
    private boolean due;

    Commits(ProcessorContext<?, ?> context) {
        this.context = context;
        context.schedule(Duration.ofMillis(SPACING_MS), PunctuationType.WALL_CLOCK_TIME, this::look);
    }

    /** What was forwarded so far is to be seen by others soon. */
    void soon() {
        due = true;
        look(context.currentSystemTimeMs());
    }

    private void look(long nowMs) {
        // Records of one turn all come at the same time by this clock; the commit follows the turn.
        if (underWay && nowMs != requestedMs) {
            underWay = false;
            long tookMs = Math.min(REST_MAX_MS, nowMs - requestedMs);
            restsUntilMs = Math.max(requestedMs + SPACING_MS, nowMs + tookMs);
        }
        boolean clockWasSetBack = nowMs < requestedMs;
        if (due && !underWay && (nowMs >= restsUntilMs || clockWasSetBack)) {
            due = false;
            underWay = true;
            requestedMs = nowMs;
            context.commit();
        }
    }
}
