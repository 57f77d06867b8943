package io.myolotrain.cli.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.coordinator.CoordinatorApp;
import io.myolotrain.coordinator.CoordinatorOptions;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.Decoded;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.JournalLine;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The coordinator over a real broker: transactions, changelogs, consumer group. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CoordinatorIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private Path directory;
    private EmbeddedBroker broker;
    private RegistryServer registry;
    private Connection connection;
    private Codecs codecs;
    private Producers producers;

    @BeforeAll
    void start(@TempDir Path temporary) throws IOException {
        directory = temporary;
        // The broker's default gives itself up after one second without a heartbeat: too short where tests share two
        // cores.
        broker = EmbeddedBroker.start(new EmbeddedBroker.Options(
                directory.resolve("kafka"), 0, Map.of("broker.session.timeout.ms", "18000")));
        registry = RegistryServer.start(broker.bootstrap(), 0);
        connection = Connection.of(broker.bootstrap(), registry.url());
        codecs = Codecs.of(connection);
    }

    @AfterAll
    void stop() throws IOException {
        if (producers != null) {
            producers.close();
        }
        if (registry != null) {
            codecs.close();
            registry.close();
        }
        broker.close();
    }

    private CoordinatorApp coordinator(String name) {
        var app = CoordinatorApp.start(connection, CoordinatorOptions.in(directory.resolve(name)));
        if (producers == null) {
            producers = Producers.open(connection, codecs, "test"); // the topics exist from now on
        }
        return app;
    }

    private void send(PoolId pool, String id, Event event) {
        Topic<Ingress> topic = Topics.ingressOf(event);
        producers
                .writer(topic)
                .sendAndWait(pool.value(), new EventIngress(new Ingress.Header(id, pool, "test", 0), event));
    }

    private void join(PoolId pool, int worker) {
        var ref = new WorkerRef(new WorkerId("w" + worker), 1);
        send(
                pool,
                "join-" + worker,
                new Event.WorkerJoined(new WorkerInfo(ref, pool, "h", "127.0.0.1", 1, 0, 1, "AVX2", "3.0.0")));
    }

    private void refused(PoolId pool, int number) {
        send(
                pool,
                "change-" + number,
                new Event.ConfigChangeRequested(
                        new JobId("nobody"), new TreeMap<>(Map.of("workers", String.valueOf(number))), "test"));
    }

    /** All committed values of a topic that have this key, in their order. */
    private <V> List<V> committed(Topic<V> topic, PoolId pool) {
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
                    if (pool.value().equals(record.key())
                            && codecs.of(topic).decode(record.value()) instanceof Decoded.Value<V> known) {
                        values.add(known.value());
                    }
                });
            }
        }
        return values;
    }

    private List<Fact> facts(PoolId pool) {
        return committed(Topics.DECISIONS, pool).stream()
                .flatMap(d -> d.facts().stream())
                .toList();
    }

    private void awaitFacts(PoolId pool, int count) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> assertThat(facts(pool))
                .hasSizeGreaterThanOrEqualTo(count));
    }

    /** close() is bounded: on a starved machine it returns before the state directory is free for the next one. */
    private static void awaitStopped(CoordinatorApp app) {
        await().atMost(PATIENCE).until(() -> app.state().equals("NOT_RUNNING"));
    }

    /** Case G17: stopped cleanly and started again, it has done each thing once and goes on where it was. */
    @Test
    void G17_a_coordinator_that_is_stopped_and_started_does_nothing_twice_and_forgets_nothing() {
        var pool = new PoolId("restarted");
        CoordinatorApp first = coordinator("one");
        try (first) {
            for (int i = 0; i < 10; i++) {
                refused(pool, i);
            }
            join(pool, 1);
            awaitFacts(pool, 11);
            await().atMost(PATIENCE).until(() -> first.health().healthy());
        }
        awaitStopped(first);
        try (CoordinatorApp second = coordinator("one")) {
            join(pool, 1); // the same event again
            refused(pool, 3);
            refused(pool, 10);
            awaitFacts(pool, 12);
            await().atMost(PATIENCE).until(() -> second.health().counts().getOrDefault("duplicates", 0L) == 2);

            assertThat(committed(Topics.JOURNAL, pool))
                    .extracting(JournalLine::eventId)
                    .doesNotHaveDuplicates()
                    .hasSize(12);
            assertThat(committed(Topics.DECISIONS, pool))
                    .extracting(Decision::eventId)
                    .doesNotHaveDuplicates()
                    .hasSize(12);
        }
    }

    @Test
    void of_two_coordinators_one_serves_a_pool_and_the_other_takes_over_when_it_is_stopped() {
        var pool = new PoolId("shared");
        CoordinatorApp first = coordinator("left");
        try (CoordinatorApp second = coordinator("right")) {
            await().atMost(PATIENCE)
                    .until(() -> first.health().healthy() && second.health().healthy());
            for (int i = 0; i < 20; i++) {
                refused(pool, i);
            }
            awaitFacts(pool, 20);
            first.close();
            for (int i = 20; i < 40; i++) {
                refused(pool, i);
            }
            awaitFacts(pool, 40);

            assertThat(committed(Topics.DECISIONS, pool))
                    .extracting(Decision::eventId)
                    .doesNotHaveDuplicates()
                    .hasSize(40);
        } finally {
            first.close();
        }
    }

    @Test
    void a_worker_that_says_nothing_is_lost_and_poison_is_counted() {
        var pool = new PoolId("silent");
        try (CoordinatorApp app = coordinator("three")) {
            join(pool, 7);
            producers
                    .writer(Topics.CONFIG_CHANGES)
                    .sendAndWait(
                            "another-pool",
                            new EventIngress(
                                    new Ingress.Header("x", pool, "test", 0),
                                    new Event.ConfigChangeRequested(
                                            new JobId("j"), new TreeMap<>(Map.of("a", "b")), "t")));

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(facts(pool)).hasAtLeastOneElementOfType(Fact.WorkerRemoved.class));
            await().atMost(PATIENCE).until(() -> app.health().rejected() == 1);
        }
    }
}
