package io.myolotrain.ui.topics;

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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads decisions, metric series, frames and dead letters from the oldest kept record on, and heartbeats from now on. */
public final class TopicFeed implements ClusterFeed {
    static final int QUEUE_ITEMS_MAX = 8_192; // readers wait when it is full
    private static final int BATCH_ITEMS_MAX = 1_024;
    private static final long HEARTBEATS_LOOK_BACK_MS = 5_000;
    private static final Logger LOG = LoggerFactory.getLogger(TopicFeed.class);

    private final Connection connection;
    private final Codecs codecs;
    private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(QUEUE_ITEMS_MAX);
    private final List<TopicReader<?>> readers = new ArrayList<>();
    private @Nullable BrokerProbe probe;
    private @Nullable Thread handover;

    public TopicFeed(Connection connection, Codecs codecs) {
        this.connection = connection;
        this.codecs = codecs;
    }

    @Override
    public void start(Sink sink) {
        var probe = new BrokerProbe(connection, queue);
        this.probe = probe;
        var handover = new Thread(() -> handOver(sink), "ui-handover");
        handover.setDaemon(true);
        this.handover = handover;
        handover.start();
        follow(
                Topics.DECISIONS,
                probe,
                r -> new Decided(new PoolId(r.key()), r.value(), new Place(r.partition(), r.offset())));
        follow(Topics.METRIC_SERIES, probe, r -> new Measured(r.value()));
        follow(Topics.METRIC_FRAMES, probe, r -> new Framed(r.value()));
        follow(Topics.DEAD_LETTERS, probe, r -> {
            var letter = r.value();
            return new Rejected(letter.topic(), letter.partition(), letter.offset(), letter.atMs(), letter.reason());
        });
        listenForHeartbeats();
        probe.start();
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
        if (probe != null) {
            probe.close();
        }
        if (handover != null) {
            handover.interrupt(); // readers that wait for room see the queue drained or are interrupted by their close
        }
        readers.forEach(TopicReader::close);
    }

    private <V> void follow(Topic<V> topic, BrokerProbe probe, Function<Received<V>, Item> item) {
        var listener = new QueueingListener<>(topic, queue, probe, item);
        TopicReader<V> reader = TopicReader.open(connection, codecs, topic, ReadFrom.beginning(), listener);
        readers.add(reader);
        probe.watch(topic.name(), topic.partitions(), listener, reader.caughtUp());
    }

    /**
     * Recent ones only, beside the probe: what a page shows is complete without them. When the queue is full they are
     * left out, because the page is behind then and nothing is said about now.
     */
    private void listenForHeartbeats() {
        TopicListener<Ingress> listener = received -> {
            if (received.value() instanceof HeartbeatIngress beat) {
                boolean unused = queue.offer(new Beat(beat.heartbeat(), received.atMs()));
            }
        };
        readers.add(TopicReader.open(
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
                batch.add(queue.take());
                queue.drainTo(batch, BATCH_ITEMS_MAX - 1);
                sink.accept(batch);
                batch.clear();
            }
        } catch (InterruptedException closing) {
            LOG.atDebug().log("hand-over ends");
        }
    }
}
