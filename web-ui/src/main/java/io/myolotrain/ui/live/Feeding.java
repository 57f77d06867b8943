package io.myolotrain.ui.live;

import io.myolotrain.ui.live.HealthView.DeadLetter;
import io.myolotrain.ui.port.ClusterFeed;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How the feed stands: source, position, what it could not use. */
final class Feeding {
    static final int DEAD_LETTERS_SHOWN = 20;
    private static final long LAG_OF_A_MOMENT = 1_000;

    private final ClusterFeed.Source source;
    private final LongSupplier clockMs;
    private final long startedAtMs;
    private final ArrayDeque<DeadLetter> deadLetters = new ArrayDeque<>();
    private long deadLetterCount;
    private ClusterFeed.@Nullable Position position; // null until the feed has said where it stands
    private @Nullable Long lastEventAtMs;

    Feeding(ClusterFeed.Source source, LongSupplier clockMs) {
        this.source = source;
        this.clockMs = clockMs;
        this.startedAtMs = clockMs.getAsLong();
    }

    void event(long atMs) {
        lastEventAtMs = atMs;
    }

    void rejected(ClusterFeed.Rejected letter) {
        deadLetterCount++;
        deadLetters.addFirst(
                new DeadLetter(letter.topic(), letter.partition(), letter.offset(), letter.atMs(), letter.reason()));
        if (deadLetters.size() > DEAD_LETTERS_SHOWN) {
            deadLetters.removeLast();
        }
    }

    /** @return whether a page would show something else than before */
    boolean position(ClusterFeed.Position next) {
        boolean news = !next.equals(position);
        position = next;
        return news;
    }

    /** Whether what the page knows is about now: the source answers, and what is not read yet is no more than a moment's. */
    boolean isUpToDate() {
        ClusterFeed.Position at = position;
        return at != null && at.reachable() && at.lag() <= LAG_OF_A_MOMENT;
    }

    HealthView health(String pool, long lastOffset, Measurements measurements, int eventsKept, String foldProblem) {
        ClusterFeed.Position at = position;
        return new HealthView(
                status(at),
                pool,
                source,
                at == null ? "" : at.problem(),
                at == null ? new TreeMap<>() : at.lagRecords(),
                at == null ? 0 : at.lag(),
                new HealthView.DeadLetters(deadLetterCount, List.copyOf(deadLetters)),
                lastEventAtMs,
                lastOffset,
                measurements.seriesCount(),
                measurements.seriesNotKept(),
                measurements.framesNotKept(),
                eventsKept,
                foldProblem,
                startedAtMs,
                clockMs.getAsLong());
    }

    private static HealthView.Status status(ClusterFeed.@Nullable Position at) {
        if (at == null) {
            return HealthView.Status.CATCHING_UP;
        }
        if (!at.reachable()) {
            return HealthView.Status.UNREACHABLE;
        }
        return at.caughtUp() ? HealthView.Status.OK : HealthView.Status.CATCHING_UP;
    }
}
