package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Activity;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.HeartbeatIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.TopicWriter;
import io.myolotrain.topics.Topics;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * News of a worker as records of the ingress topics. Sending does not wait for the broker: training goes on while it is
 * away, and what was reported meanwhile arrives afterwards, in order.
 */
final class TopicEvents implements WorkerEvents {
    private final PoolId pool;
    private final String sender;
    private final Clock clock;
    private final Producers producers;
    private final Map<String, TopicWriter<Ingress>> ingress = new TreeMap<>();
    private final TopicWriter<Reading> readings;
    private final String run = UUID.randomUUID().toString();
    private final AtomicLong sequence = new AtomicLong();

    TopicEvents(PoolId pool, String sender, Clock clock, Producers producers) {
        this.pool = pool;
        this.sender = sender;
        this.clock = clock;
        this.producers = producers;
        Topics.ingress().forEach(topic -> ingress.put(topic.name(), producers.writer(topic)));
        this.readings = producers.writer(Topics.METRIC_SAMPLES);
    }

    @Override
    public void report(Event event) {
        writer(Topics.ingressOf(event).name()).send(pool.value(), new EventIngress(header(), event));
    }

    @Override
    public void reading(Reading reading) {
        readings.send(pool.value(), reading);
    }

    void heartbeat(WorkerRef worker, Optional<Activity> activity) {
        Ingress.Header header = header();
        writer(Topics.WORKER_EVENTS.name())
                .send(
                        pool.value(),
                        new HeartbeatIngress(header, new Heartbeat(pool, worker, sequence.get(), activity)));
    }

    @Override
    public void flush() {
        producers.flush();
    }

    private Ingress.Header header() {
        return new Ingress.Header(run + "-" + sequence.incrementAndGet(), pool, sender, clock.millis());
    }

    private TopicWriter<Ingress> writer(String topic) {
        TopicWriter<Ingress> writer = ingress.get(topic);
        if (writer == null) {
            throw new IllegalStateException("an ingress topic must be in the catalogue: topic=" + topic);
        }
        return writer;
    }
}
