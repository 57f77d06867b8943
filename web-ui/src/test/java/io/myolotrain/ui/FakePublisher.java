package io.myolotrain.ui;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.ui.port.ChangePublisher;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/** Keeps what was published, or fails as a broker that is away. */
public final class FakePublisher implements ChangePublisher {
    public final LinkedBlockingQueue<Published> published = new LinkedBlockingQueue<>();
    public final LinkedBlockingQueue<SamplingRequest> asked = new LinkedBlockingQueue<>();
    public volatile boolean away;

    public record Published(String eventId, Event.ConfigChangeRequested request) {}

    @Override
    public CompletionStage<Void> publish(PoolId pool, String eventId, Event.ConfigChangeRequested request) {
        if (away) {
            return CompletableFuture.failedFuture(new IllegalStateException("broker.test:9092 does not answer"));
        }
        published.add(new Published(eventId, request));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> ask(PoolId pool, String eventId, SamplingRequest request) {
        if (away) {
            return CompletableFuture.failedFuture(new IllegalStateException("broker.test:9092 does not answer"));
        }
        asked.add(request);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
}
