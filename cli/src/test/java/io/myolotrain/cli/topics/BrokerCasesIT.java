package io.myolotrain.cli.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.DeadLetter;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.Provisioning;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cases that need a broker's own housekeeping: retention, compaction, consumer groups. */
class BrokerCasesIT {
    private static final long WAIT_S = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(WAIT_S);
    private static final short ONE_COPY = 1;
    private static final String LETTERS = Topics.DEAD_LETTERS.name();

    private EmbeddedBroker broker;
    private RegistryServer registry;
    private Connection connection;
    private Codecs codecs;
    private Admin admin;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        broker = EmbeddedBroker.start(new EmbeddedBroker.Options(
                directory.resolve("kafka"),
                0,
                Map.of(
                        "log.retention.check.interval.ms", "200",
                        "log.cleaner.backoff.ms", "200",
                        "log.initial.task.delay.ms", "200")));
        registry = RegistryServer.start(broker.bootstrap(), 0);
        connection = Connection.of(broker.bootstrap(), registry.url());
        codecs = Codecs.of(connection);
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        codecs.close();
        registry.close();
        broker.close();
    }

    @Test
    @DisplayName(
            "G07 Events of a clock that is 30 days behind outlive the retention checks; the pre-check names the risk")
    void whatWasAcknowledgedIsNotDeletedForItsOwnTime() throws Exception {
        Provisioning.ensure(connection, codecs, ONE_COPY);
        String careless = "careless";
        admin.createTopics(List.of(new NewTopic(careless, 1, ONE_COPY)
                        .configs(Map.of(
                                "message.timestamp.type",
                                "CreateTime",
                                "message.timestamp.before.max.ms",
                                Long.toString(Long.MAX_VALUE),
                                "retention.ms",
                                Long.toString(TimeUnit.DAYS.toMillis(7))))))
                .all()
                .get(WAIT_S, TimeUnit.SECONDS);
        long longAgo = System.currentTimeMillis() - TimeUnit.DAYS.toMillis(30);
        var ours = new TopicPartition(Topics.WORKER_EVENTS.name(), 0);
        try (var producer = rawProducer()) {
            for (var partition : List.of(ours, new TopicPartition(careless, 0))) {
                producer.send(new ProducerRecord<>(partition.topic(), 0, longAgo, key("p"), new byte[] {1}))
                        .get(WAIT_S, TimeUnit.SECONDS);
            }
        }
        await().atMost(PATIENCE).until(() -> start(new TopicPartition(careless, 0)) == 1);
        assertThat(start(ours)).as("the same check has passed here").isZero();

        set(ours.topic(), "message.timestamp.type", "CreateTime");
        assertThat(Provisioning.ensure(connection, codecs, ONE_COPY).drift())
                .singleElement()
                .asString()
                .contains("message.timestamp.type is CreateTime", "would be deleted although they were acknowledged");
    }

    @Test
    @DisplayName("G05 In a compacted topic null deletes: before and after compaction a rebuild gives the same state")
    void tombstonesMeanDeletedBeforeAndAfterCompaction() throws Exception {
        Provisioning.ensure(connection, codecs, ONE_COPY);
        set(LETTERS, "cleanup.policy", "compact");
        set(LETTERS, "min.cleanable.dirty.ratio", "0.01");
        set(LETTERS, "segment.ms", "100");
        set(LETTERS, "delete.retention.ms", "0");
        put("a", "a1");
        put("b", "b1");
        delete("a");
        put("c", "c1");
        delete("b");
        assertThat(rebuilt()).isEqualTo(Map.of("c", "c1"));
        put("a", "a2");
        assertThat(rebuilt()).isEqualTo(Map.of("a", "a2", "c", "c1"));

        // Each new record rolls a segment; compaction has passed when the first record of the topic is gone.
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).until(() -> {
            put("z", "z");
            return recordsLeft() < 6;
        });
        assertThat(rebuilt()).isEqualTo(Map.of("a", "a2", "c", "c1", "z", "z"));
    }

    @Test
    @DisplayName("G16 Work on one record that takes longer than max.poll.interval is done once and throws nobody out")
    void aSlowRecordCausesNoRebalanceAndNoRepeat() throws Exception {
        Provisioning.ensure(connection, codecs, ONE_COPY);
        for (String reason : List.of("a", "slow", "b")) {
            put("k", reason);
        }
        var impatient = new Connection(
                connection.bootstrap(), connection.registryUrl(), new TreeMap<>(Map.of("max.poll.interval.ms", "500")));
        var told = new CopyOnWriteArrayList<String>();
        var never = new CountDownLatch(1);
        try (var reader = TopicReader.open(impatient, codecs, Topics.DEAD_LETTERS, ReadFrom.beginning(), record -> {
            told.add(record.value().reason());
            if (record.value().reason().equals("slow")) {
                waitThreeIntervals(never);
            }
        })) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
            put("k", "c");
            await().atMost(PATIENCE).until(() -> told.contains("c"));
            assertThat(told).containsExactly("a", "slow", "b", "c");
            assertThat(reader.slow()).isEqualTo(1);
        }
    }

    private static void waitThreeIntervals(CountDownLatch never) {
        try {
            assertThat(never.await(1_500, TimeUnit.MILLISECONDS)).isFalse();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Map<String, String> rebuilt() throws Exception {
        var state = new ConcurrentSkipListMap<String, String>();
        var listener = new TopicListener<DeadLetter>() {
            @Override
            public void onRecord(Received<DeadLetter> record) {
                state.put(record.key(), record.value().reason());
            }

            @Override
            public void onDeleted(Deleted record) {
                state.remove(record.key());
            }
        };
        try (var reader = TopicReader.open(connection, codecs, Topics.DEAD_LETTERS, ReadFrom.beginning(), listener)) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
        }
        return state;
    }

    /** How many of the first six records are still there. */
    private int recordsLeft() throws Exception {
        var offsets = new CopyOnWriteArrayList<Long>();
        var listener = new TopicListener<DeadLetter>() {
            @Override
            public void onRecord(Received<DeadLetter> record) {
                offsets.add(record.offset());
            }

            @Override
            public void onDeleted(Deleted record) {
                offsets.add(record.offset());
            }
        };
        try (var reader = TopicReader.open(connection, codecs, Topics.DEAD_LETTERS, ReadFrom.beginning(), listener)) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
        }
        return (int) offsets.stream().filter(offset -> offset < 6).count();
    }

    private void put(String key, String reason) {
        try (var producers = Producers.open(connection, codecs, "test")) {
            producers.writer(Topics.DEAD_LETTERS).sendAndWait(key, new DeadLetter("t", 0, 0, reason, new byte[0], 0));
        }
    }

    private void delete(String key) throws Exception {
        try (var producer = rawProducer()) {
            producer.send(new ProducerRecord<>(LETTERS, 0, key(key), null)).get(WAIT_S, TimeUnit.SECONDS);
        }
    }

    private static byte[] key(String key) {
        return key.getBytes(UTF_8);
    }

    private KafkaProducer<byte[], byte[]> rawProducer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrap()), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private long start(TopicPartition partition) throws Exception {
        return admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                .partitionResult(partition)
                .get(WAIT_S, TimeUnit.SECONDS)
                .offset();
    }

    private void set(String topic, String setting, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        List.of(new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
                .all()
                .get(WAIT_S, TimeUnit.SECONDS);
    }
}
