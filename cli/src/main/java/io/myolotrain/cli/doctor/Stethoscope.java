package io.myolotrain.cli.doctor;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.Session;
import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.diagnosis.Heard;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.topics.HeartbeatIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Listens to the heartbeats of a pool, recent ones first. Ages are differences of the broker's time stamps, so that clocks
 * of other machines do not matter.
 */
public final class Stethoscope implements AutoCloseable {
    /** Older heartbeats say nothing about now. */
    private static final long LOOK_BACK_MS = 15_000;

    private static final long CATCH_UP_TIMEOUT_S = 20;

    private record Beat(Heartbeat heartbeat, long atMs) {}

    private final String poolKey;
    private final TopicReader<Ingress> reader;
    private final Map<WorkerRef, Beat> beats = new TreeMap<>(); // guarded by this
    private long newestMs; // guarded by this
    private long newestHeardNanos; // guarded by this

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
        if (received.atMs() >= newestMs) {
            newestMs = received.atMs();
            newestHeardNanos = System.nanoTime();
        }
        if (received.key().equals(poolKey) && received.value() instanceof HeartbeatIngress beat) {
            beats.put(beat.heartbeat().worker(), new Beat(beat.heartbeat(), received.atMs()));
        }
    }

    public synchronized Map<WorkerRef, Heard> heard() {
        long brokerNowMs = newestMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - newestHeardNanos);
        var heard = new TreeMap<WorkerRef, Heard>();
        beats.forEach((worker, beat) -> heard.put(
                worker,
                new Heard(
                        Math.max(0, brokerNowMs - beat.atMs()), beat.heartbeat().activity())));
        return heard;
    }

    @Override
    public void close() {
        reader.close();
    }
}
