package io.myolotrain.cli.doctor;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.Session;
import io.myolotrain.core.diagnosis.Heard;
import io.myolotrain.core.diagnosis.Heartbeats;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.topics.HeartbeatIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Listens to the heartbeats of a pool, recent ones first. */
public final class Stethoscope implements AutoCloseable {
    /** Older heartbeats say nothing about now. */
    private static final long LOOK_BACK_MS = 15_000;

    private static final long CATCH_UP_TIMEOUT_S = 20;

    private final String poolKey;
    private final TopicReader<Ingress> reader;
    private final Heartbeats heartbeats = new Heartbeats(); // guarded by this

    private Stethoscope(Session session, long nowMs) {
        poolKey = session.pool().value();
        reader = TopicReader.open(
                session.connection(),
                session.codecs(),
                Topics.WORKER_EVENTS,
                ReadFrom.timestamp(nowMs - LOOK_BACK_MS),
                this::hear);
    }

    /** Returns when the heartbeats of the last seconds have been heard. */
    public static Stethoscope open(Session session) throws InterruptedException {
        var stethoscope = new Stethoscope(session, System.currentTimeMillis());
        try {
            stethoscope.reader.caughtUp().get(CATCH_UP_TIMEOUT_S, TimeUnit.SECONDS);
            return stethoscope;
        } catch (ExecutionException | TimeoutException e) {
            stethoscope.close();
            throw CommandFailure.unreachable(
                    "the workers' heartbeats could not be read: " + e.getMessage(),
                    "Check that the broker runs; run the command with --verbose to see more.",
                    e);
        }
    }

    private synchronized void hear(TopicListener.Received<Ingress> received) {
        if (received.key().equals(poolKey) && received.value() instanceof HeartbeatIngress beat) {
            heartbeats.hear(beat.heartbeat(), received.atMs(), nowMs());
        } else {
            heartbeats.passed(received.atMs(), nowMs());
        }
    }

    public synchronized Map<WorkerRef, Heard> heard() {
        return heartbeats.heard(nowMs());
    }

    private static long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    @Override
    public void close() {
        reader.close();
    }
}
