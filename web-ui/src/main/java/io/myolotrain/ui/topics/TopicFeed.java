package io.myolotrain.ui.topics;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.HeartbeatIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicListener.Received;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import io.myolotrain.ui.port.ClusterFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads decisions from where the server stood before or from the oldest kept record on, dead letters from the oldest on,
 * heartbeats from now on, and metric series and frames of those runs that somebody has opened.
 */
public final class TopicFeed implements ClusterFeed {
    private static final int BATCH_ITEMS_MAX = 1_024;
    private static final long HEARTBEATS_LOOK_BACK_MS = 5_000;
    /** Pasts that are read at a time, and that wait for it: who is turned away asks again. */
    private static final int PASTS_AT_A_TIME = 2;

    private static final int PASTS_WAITING_MAX = 64;
    private static final Logger LOG = LoggerFactory.getLogger(TopicFeed.class);

    private final Connection connection;
    private final Codecs codecs;
    private final PoolId pool;
    private final FeedQueue queue = new FeedQueue();
    private final RunGate gate;
    private final ExecutorService pasts;
    private final List<TopicReader<?>> readers = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean closed;
    private @Nullable BrokerProbe probe;

    public TopicFeed(Connection connection, Codecs codecs, PoolId pool) {
        this.connection = connection;
        this.codecs = codecs;
        this.pool = pool;
        this.gate = new RunGate(pool, queue::put);
        this.pasts = new ThreadPoolExecutor(
                PASTS_AT_A_TIME,
                PASTS_AT_A_TIME,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(PASTS_WAITING_MAX),
                task -> {
                    var thread = new Thread(task, "ui-run-past");
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
    }

    @Override
    public void start(Sink sink, Optional<Reached> reached) {
        var probe = new BrokerProbe(connection, queue);
        this.probe = probe;
        thread("ui-handover", () -> handOver(sink));
        follow(Topics.DEAD_LETTERS, probe, ReadFrom.beginning(), key -> true, () -> {}, r -> {
            var letter = r.value();
            queue.put(
                    new Rejected(letter.topic(), letter.partition(), letter.offset(), letter.atMs(), letter.reason()));
        });
        follow(
                Topics.METRIC_SERIES,
                probe,
                ReadFrom.end(),
                gate::wants,
                () -> {},
                r -> gate.live(
                        new RunGate.Source(Topics.METRIC_SERIES.name(), r.partition()),
                        r.offset(),
                        RunPast.runOf(r.value().line()),
                        new Measured(r.value())));
        follow(
                Topics.METRIC_FRAMES,
                probe,
                ReadFrom.end(),
                gate::wants,
                () -> {},
                r -> gate.live(
                        new RunGate.Source(Topics.METRIC_FRAMES.name(), r.partition()),
                        r.offset(),
                        RunPast.runOf(r.value().origin().line()),
                        new Framed(r.value())));
        listenForHeartbeats();
        followDecisions(probe, reached);
        probe.start();
    }

    private void followDecisions(BrokerProbe probe, Optional<Reached> reached) {
        var listener = new QueueingListener<>(
                Topics.DECISIONS,
                queue,
                probe,
                key -> true,
                (TopicListener.Received<Decision> r) ->
                        queue.put(new Decided(new PoolId(r.key()), r.value(), new Place(r.partition(), r.offset()))),
                this::startAnew);
        var caughtUp = new CompletableFuture<Void>();
        probe.watch(Topics.DECISIONS.name(), Topics.DECISIONS.partitions(), listener, caughtUp);
        if (reached.isPresent()) {
            listener.startAt(reached.get().nextOffsets());
            thread("ui-resume", () -> resume(reached.get(), listener, caughtUp));
        } else {
            readDecisions(ReadFrom.beginning(), listener, caughtUp);
        }
    }

    /** Waits for a broker that answers; until then the page shows what it knows. */
    private void resume(Reached reached, QueueingListener<Decision> listener, CompletableFuture<Void> caughtUp) {
        try {
            if (new ResumeCheck(connection, codecs).stillHolds(reached)) {
                readDecisions(ReadFrom.offsets(reached.nextOffsets()), listener, caughtUp);
            } else {
                LOG.atWarn()
                        .addKeyValue("topic", Topics.DECISIONS)
                        .addKeyValue("reached", reached)
                        .log("the log is not the one that was read before: all of it is read");
                listener.startAt(new TreeMap<>());
                startAnew();
                readDecisions(ReadFrom.beginning(), listener, caughtUp);
            }
        } catch (InterruptedException closing) {
            LOG.atDebug().log("resuming ends");
        }
    }

    private void readDecisions(ReadFrom from, QueueingListener<Decision> listener, CompletableFuture<Void> caughtUp) {
        TopicReader<Decision> reader = TopicReader.open(connection, codecs, Topics.DECISIONS, from, listener);
        own(reader);
        // A reader that stops says so itself.
        var unused = reader.caughtUp().whenComplete((done, stopped) -> caughtUp.complete(null));
    }

    /** A reader that is opened while the feed closes is closed at once. */
    private void own(TopicReader<?> reader) {
        readers.add(reader);
        if (closed) {
            reader.close();
        }
    }

    private void thread(String name, Runnable work) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void startAnew() {
        gate.forgetAll();
        queue.put(new StartedAnew());
    }

    @Override
    public void open(Run run, long sinceMs, long untilMs) {
        pasts.execute(() -> {
            if (gate.open(run)) {
                try {
                    new RunPast(connection, codecs, pool, gate, queue::put, run, sinceMs, untilMs).read();
                } catch (InterruptedException closing) {
                    LOG.atDebug().log("reading of a run's past ends");
                }
            }
        });
    }

    @Override
    public Source source() {
        return new Source(
                connection.bootstrap(),
                connection.registryUrl(),
                List.of(
                        Topics.DECISIONS.name(),
                        Topics.METRIC_SERIES.name(),
                        Topics.METRIC_FRAMES.name(),
                        Topics.DEAD_LETTERS.name()));
    }

    @Override
    public void close() {
        closed = true;
        queue.close();
        pasts.shutdownNow();
        if (probe != null) {
            probe.close();
        }
        threads.forEach(Thread::interrupt);
        readers.forEach(TopicReader::close);
    }

    private <V> void follow(
            Topic<V> topic,
            BrokerProbe probe,
            ReadFrom from,
            Predicate<String> wanted,
            Runnable startedAnew,
            Consumer<Received<V>> deliver) {
        var listener = new QueueingListener<>(topic, queue, probe, wanted, deliver, startedAnew);
        TopicReader<V> reader = TopicReader.open(connection, codecs, topic, from, listener);
        own(reader);
        probe.watch(topic.name(), topic.partitions(), listener, reader.caughtUp());
    }

    /**
     * Recent ones only, beside the probe: what a page shows is complete without them. When the queue is full they are
     * left out, because the page is behind then and nothing is said about now.
     */
    private void listenForHeartbeats() {
        TopicListener<Ingress> listener = received -> {
            if (received.value() instanceof HeartbeatIngress beat) {
                queue.putIfRoom(new Beat(beat.heartbeat(), received.atMs()));
            }
        };
        own(TopicReader.open(
                connection,
                codecs,
                Topics.WORKER_EVENTS,
                ReadFrom.timestamp(System.currentTimeMillis() - HEARTBEATS_LOOK_BACK_MS),
                listener));
    }

    private void handOver(Sink sink) {
        var batch = new ArrayList<Item>(BATCH_ITEMS_MAX);
        try {
            while (!Thread.currentThread().isInterrupted()) {
                queue.take(batch, BATCH_ITEMS_MAX);
                sink.accept(batch);
                batch.clear();
            }
        } catch (InterruptedException closing) {
            LOG.atDebug().log("hand-over ends");
        }
    }
}
