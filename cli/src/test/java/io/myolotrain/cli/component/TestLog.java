package io.myolotrain.cli.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.Decoded;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.HeartbeatIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What people, workers and readers do with the topics while a coordinator is under test. The topics must exist. */
final class TestLog implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Connection connection;
    private final Codecs codecs;
    private final Producers producers;

    TestLog(Connection connection) {
        this.connection = connection;
        this.codecs = Codecs.of(connection);
        this.producers = Producers.open(connection, codecs, "test");
    }

    @Override
    public void close() {
        producers.close();
        codecs.close();
    }

    void send(PoolId pool, String id, Event event) {
        producers.writer(Topics.ingressOf(event)).sendAndWait(pool.value(), ingress(pool, id, event));
    }

    /** Under a key that is not the pool's. */
    void sendUnder(String key, PoolId pool, String id, Event event) {
        producers.writer(Topics.ingressOf(event)).sendAndWait(key, ingress(pool, id, event));
    }

    /** Does not wait; what is not acknowledged is sent again by whoever closes this. */
    void sendAsync(PoolId pool, String id, Event event) {
        producers.writer(Topics.ingressOf(event)).send(pool.value(), ingress(pool, id, event));
    }

    private static Ingress ingress(PoolId pool, String id, Event event) {
        return new EventIngress(new Ingress.Header(id, pool, "test", 0), event);
    }

    static WorkerRef worker(int number) {
        return new WorkerRef(new WorkerId("w" + number), 1);
    }

    void join(PoolId pool, int number) {
        send(
                pool,
                "join-" + number,
                new Event.WorkerJoined(
                        new WorkerInfo(worker(number), pool, "h", "127.0.0.1", 1, 0, 1, "AVX2", "3.0.0")));
    }

    void beat(PoolId pool, int number) {
        producers
                .writer(Topics.WORKER_EVENTS)
                .sendAndWait(
                        pool.value(),
                        new HeartbeatIngress(
                                new Ingress.Header(UUID.randomUUID().toString(), pool, "w" + number, 0),
                                new Heartbeat(pool, worker(number), 1, Optional.empty())));
    }

    /** A request whose answer is a refusal: one decision, and nothing else. */
    static Event refused(int number) {
        return new Event.ConfigChangeRequested(
                new JobId("nobody"), new TreeMap<>(Map.of("workers", String.valueOf(number))), "test");
    }

    void refused(PoolId pool, int number) {
        send(pool, "change-" + number, refused(number));
    }

    /** All committed values of a topic that have this key, in their order. */
    <V> List<V> committed(Topic<V> topic, String key) {
        var settings = new TreeMap<>(connection.clientSettings());
        settings.put("isolation.level", "read_committed");
        var values = new ArrayList<V>();
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic.name()).stream()
                    .map(p -> new TopicPartition(p.topic(), p.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> {
                    if (key.equals(record.key())
                            && codecs.of(topic).decode(record.value()) instanceof Decoded.Value<V> known) {
                        values.add(known.value());
                    }
                });
            }
        }
        return values;
    }

    List<Decision> decisions(PoolId pool) {
        return committed(Topics.DECISIONS, pool.value());
    }

    List<Fact> facts(PoolId pool) {
        return decisions(pool).stream().flatMap(d -> d.facts().stream()).toList();
    }

    void awaitDecisions(PoolId pool, int count) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> assertThat(decisions(pool))
                .hasSizeGreaterThanOrEqualTo(count));
    }

    /** Each event that was sent has been decided once: the effects, however often something was started anew. */
    void assertDecidedOnce(PoolId pool, int count) {
        assertThat(decisions(pool))
                .extracting(Decision::eventId)
                .doesNotHaveDuplicates()
                .hasSize(count);
    }
}
