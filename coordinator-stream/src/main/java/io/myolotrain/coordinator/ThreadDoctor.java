package io.myolotrain.coordinator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces a stream thread that died, with a growing pause, and gives up when too many die within ten minutes: a
 * coordinator that cannot get on says so and ends, instead of looking alive. Trouble that passes by itself (the registry
 * is away, the broker restarts) is waited out however long it takes.
 */
final class ThreadDoctor implements StreamsUncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadDoctor.class);
    private static final long WINDOW_NANOS = 600_000_000_000L;
    private static final long PAUSE_MAX_MS = 5_000;
    private static final long PASSING_PAUSE_MS = 500;
    private static final int CAUSES_MAX = 20;

    private final int replacementsMax;
    private final Counters counters;
    private final Deque<Long> deaths = new ArrayDeque<>();
    private volatile @Nullable String gaveUp;
    private volatile @Nullable String lastDeath;

    ThreadDoctor(int replacementsMax, Counters counters) {
        this.replacementsMax = replacementsMax;
        this.counters = counters;
    }

    @Override
    public StreamThreadExceptionResponse handle(Throwable death) {
        String cause = rootCause(death);
        lastDeath = cause;
        if (passes(death)) {
            counters.count(Counters.THREADS_REPLACED);
            LOG.atWarn().addKeyValue("cause", cause).log("stream thread waits for a service that is away");
            pause(PASSING_PAUSE_MS);
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        }
        int recent = recentDeaths(System.nanoTime());
        if (recent > replacementsMax) {
            gaveUp = "at most " + replacementsMax + " stream threads may die within 10 minutes: died=" + recent
                    + " last=" + cause;
            LOG.atError().setCause(death).addKeyValue("reason", gaveUp).log("coordinator gives up");
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        counters.count(Counters.THREADS_REPLACED);
        long pauseMs = Math.min(PAUSE_MAX_MS, 100L << Math.min(10, recent - 1));
        LOG.atError()
                .setCause(death)
                .addKeyValue("recent", recent)
                .addKeyValue("pauseMs", pauseMs)
                .log("stream thread died, replacing it");
        pause(pauseMs);
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    Optional<String> gaveUp() {
        return Optional.ofNullable(gaveUp);
    }

    Optional<String> lastDeath() {
        return Optional.ofNullable(lastDeath);
    }

    private synchronized int recentDeaths(long nowNanos) {
        deaths.addLast(nowNanos);
        while (nowNanos - deaths.getFirst() > WINDOW_NANOS || deaths.size() > replacementsMax + 1) {
            deaths.removeFirst();
        }
        return deaths.size();
    }

    private static void pause(long pauseMs) {
        try {
            Thread.sleep(pauseMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean passes(Throwable death) {
        Throwable cause = death;
        for (int depth = 0; depth < CAUSES_MAX && cause != null; depth++) {
            if (cause instanceof RetriableException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static String rootCause(Throwable death) {
        Throwable cause = death;
        for (int depth = 0; depth < CAUSES_MAX && cause.getCause() != null; depth++) {
            cause = cause.getCause();
        }
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }
}
