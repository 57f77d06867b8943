package io.myolotrain.ui.topics;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.TopicWriter;
import io.myolotrain.topics.Topics;
import io.myolotrain.ui.port.ChangePublisher;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Writes changes to {@code config-changes}. Encoding may wait for the registry, so it has a thread of its own. */
public final class TopicChangePublisher implements ChangePublisher {
    static final int WAITING_MAX = 64; // further changes are refused until the log answers
    private static final int DELIVERY_TIMEOUT_MS = 10_000; // a person waits
    private static final int REQUEST_TIMEOUT_MS = 4_000;
    private static final int BLOCK_MAX_MS = 5_000;

    private final Producers producers;
    private final TopicWriter<Ingress> writer;
    private final ExecutorService sender = new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.MILLISECONDS, new ArrayBlockingQueue<>(WAITING_MAX), TopicChangePublisher::thread);

    public TopicChangePublisher(Connection connection, Codecs codecs) {
        producers = Producers.open(
                connection,
                codecs,
                "myolotrain-ui",
                Map.of(
                        ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MAX_MS,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MS));
        writer = producers.writer(Topics.CONFIG_CHANGES);
    }

    @Override
    public CompletionStage<Void> publish(PoolId pool, String eventId, Event.ConfigChangeRequested request) {
        var written = new CompletableFuture<Void>();
        var header = new Ingress.Header(eventId, pool, request.requestedBy(), System.currentTimeMillis());
        try {
            sender.execute(() -> send(pool.value(), new EventIngress(header, request), written));
        } catch (RejectedExecutionException e) {
            written.completeExceptionally(
                    new IllegalStateException("at most " + WAITING_MAX + " changes wait for the log", e));
        }
        return written;
    }

    private void send(String key, Ingress ingress, CompletableFuture<Void> written) {
        try {
            writer.send(key, ingress, (position, error) -> {
                if (error == null) {
                    written.complete(null);
                } else {
                    written.completeExceptionally(error);
                }
            });
        } catch (RuntimeException e) { // the registry is away or refuses
            written.completeExceptionally(e);
        }
    }

    @Override
    public void close() {
        sender.shutdownNow();
        producers.close();
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "ui-publisher");
        thread.setDaemon(true);
        return thread;
    }
}
