package io.myolotrain.ui.topics;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.SamplingEvent;
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

/** Writes changes to {@code config-changes}, and what is asked of readings to {@code sampling-changes}. Encoding may wait for the registry, so it has a thread of its own. */
public final class TopicChangePublisher implements ChangePublisher {
    static final int WAITING_MAX = 64; // further changes are refused until the log answers
    private static final int DELIVERY_TIMEOUT_MS = 10_000; // a person waits
    private static final int REQUEST_TIMEOUT_MS = 4_000;
    private static final int BLOCK_MAX_MS = 5_000;

    private final Producers producers;
    private final TopicWriter<Ingress> changes;
    private final TopicWriter<SamplingEvent> sampling;
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
        changes = producers.writer(Topics.CONFIG_CHANGES);
        sampling = producers.writer(Topics.SAMPLING_CHANGES);
    }

    @Override
    public CompletionStage<Void> publish(PoolId pool, String eventId, Event.ConfigChangeRequested request) {
        var header = new Ingress.Header(eventId, pool, request.requestedBy(), System.currentTimeMillis());
        return write(changes, pool, new EventIngress(header, request));
    }

    @Override
    public CompletionStage<Void> ask(PoolId pool, String eventId, SamplingRequest request) {
        var header = new Ingress.Header(eventId, pool, request.requestedBy(), System.currentTimeMillis());
        return write(sampling, pool, new SamplingEvent(header, request));
    }

    private <V> CompletionStage<Void> write(TopicWriter<V> writer, PoolId pool, V value) {
        var written = new CompletableFuture<Void>();
        try {
            sender.execute(() -> send(writer, pool.value(), value, written));
        } catch (RejectedExecutionException e) {
            written.completeExceptionally(
                    new IllegalStateException("at most " + WAITING_MAX + " changes wait for the log", e));
        }
        return written;
    }

    private static <V> void send(TopicWriter<V> writer, String key, V value, CompletableFuture<Void> written) {
        try {
            writer.send(key, value, (position, error) -> {
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
