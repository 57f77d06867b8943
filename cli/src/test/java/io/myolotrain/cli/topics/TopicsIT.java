package io.myolotrain.cli.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.schemas.ConfluentRegistry;
import io.myolotrain.schemas.SchemaRefused;
import io.myolotrain.schemas.SchemaRegistry;
import io.myolotrain.schemas.TopicSchemas;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.DeadLetter;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.HistoryGone;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.Provisioning;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topics on a real broker and over a real registry. */
class TopicsIT {
    private static final long WAIT_S = 60;
    private static final short ONE_COPY = 1;

    private EmbeddedBroker broker;
    private RegistryServer registry;
    private Connection connection;
    private Codecs codecs;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        broker = EmbeddedBroker.start(EmbeddedBroker.Options.in(directory.resolve("kafka")));
        registry = RegistryServer.start(broker.bootstrap(), 0);
        connection = Connection.of(broker.bootstrap(), registry.url());
        codecs = Codecs.of(connection);
    }

    @AfterEach
    void stop() throws IOException {
        codecs.close();
        registry.close();
        broker.close();
    }

    @Test
    void provisioningCreatesWhatIsMissingAndOnlyReportsWhatDiffers() throws Exception {
        var first = Provisioning.ensure(connection, codecs, ONE_COPY);
        assertThat(first.created())
                .containsExactlyElementsOf(
                        Topics.all().stream().map(Topic::name).toList());
        assertThat(first.drift()).isEmpty();

        alter("journal", "retention.ms", "1000");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> setting("journal", "retention.ms").equals("1000")); // brokers learn it later
        var second = Provisioning.ensure(connection, codecs, ONE_COPY);

        assertThat(second.created()).isEmpty();
        assertThat(second.drift()).singleElement().hasToString("journal: retention.ms is 1000, this release wants -1");
        assertThat(setting("journal", "retention.ms")).isEqualTo("1000");
    }

    @Test
    void everySubjectAcceptsOnlySchemasThatCanBeUpgradedInAnyOrder() {
        Provisioning.ensure(connection, codecs, ONE_COPY);
        try (SchemaRegistry client = ConfluentRegistry.connect(registry.url(), Map.of())) {
            TopicSchemas.current().forEach((topic, schema) -> {
                String subject = SchemaRegistry.valueSubject(topic);
                assertThat(client.compatibility(subject)).contains(SchemaRegistry.FULL_TRANSITIVE);
                assertThatThrownBy(() -> client.idFor(subject, withRequiredField(schema)))
                        .as(topic)
                        .isInstanceOf(SchemaRefused.class);
            });
        }
    }

    @Test
    void whatIsWrittenIsReadInOrderWithBadRecordsAndTombstonesInTheirPlaces() throws Exception {
        Provisioning.ensure(connection, codecs, ONE_COPY);
        try (var producers = Producers.open(connection, codecs, "test")) {
            producers.writer(Topics.DEAD_LETTERS).sendAndWait("p", letter("a"));
            sendRaw(new byte[] {1, 2, 3});
            sendRaw(null);
            producers.writer(Topics.DEAD_LETTERS).sendAndWait("p", letter("b"));
        }
        var told = new LinkedBlockingQueue<String>();
        try (var reader = TopicReader.open(
                connection, codecs, Topics.DEAD_LETTERS, ReadFrom.completeHistory(), new Teller(told))) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
        }
        assertThat(told).containsExactly("0 a", "1 undecodable", "2 deleted", "3 b");
    }

    @Test
    void aRecordOfSeveralMegabytesPassesWhereTheCatalogueAllowsIt() throws Exception {
        Provisioning.ensure(connection, codecs, ONE_COPY);
        byte[] megabyte = new byte[1 << 20];
        new java.util.Random(1).nextBytes(megabyte); // does not compress
        try (var producers = Producers.open(connection, codecs, "test")) {
            var writer = producers.writer(Topics.DEAD_LETTERS);
            assertThat(writer.sendAndWait("p", new DeadLetter("t", 0, 0, "big", megabyte, 0))
                            .offset())
                    .isZero();
        }
    }

    @Test
    void G08_historyThatWasDeletedIsReportedAndNotSkipped() throws Exception {
        Provisioning.ensure(connection, codecs, ONE_COPY);
        try (var producers = Producers.open(connection, codecs, "test")) {
            for (String reason : List.of("a", "b", "c")) {
                producers.writer(Topics.DEAD_LETTERS).sendAndWait("p", letter(reason));
            }
        }
        try (Admin admin = admin()) {
            admin.deleteRecords(Map.of(new TopicPartition("dead-letters", 0), RecordsToDelete.beforeOffset(2)))
                    .all()
                    .get(WAIT_S, TimeUnit.SECONDS);
        }
        try (var reader = TopicReader.open(
                connection,
                codecs,
                Topics.DEAD_LETTERS,
                ReadFrom.completeHistory(),
                new Teller(new LinkedBlockingQueue<>()))) {
            assertThatThrownBy(() -> reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(HistoryGone.class)
                    .hasMessageContaining("records 0 to 1 of dead-letters-0 are gone");
        }
    }

    @Test
    void anOutsiderPublishesAConfigurationChangeWithTheDocumentedExample() throws Exception {
        Provisioning.ensure(connection, codecs, ONE_COPY);
        BlockingQueue<Ingress> seen = new LinkedBlockingQueue<>();
        try (var reader = TopicReader.open(
                connection,
                codecs,
                Topics.CONFIG_CHANGES,
                ReadFrom.completeHistory(),
                record -> seen.add(record.value()))) {
            runExample("default", "demo", "workers=4", "learningRate=0.0005");

            Ingress ingress = seen.poll(WAIT_S, TimeUnit.SECONDS);

            assertThat(ingress).isInstanceOfSatisfying(EventIngress.class, event -> {
                assertThat(event.header().pool()).isEqualTo(new PoolId("default"));
                assertThat(event.event()).isInstanceOfSatisfying(Event.ConfigChangeRequested.class, change -> {
                    assertThat(change.job()).isEqualTo(new JobId("demo"));
                    assertThat(change.changes())
                            .isEqualTo(new TreeMap<>(Map.of("workers", "4", "learningRate", "0.0005")));
                });
            });
        }
    }

    /** As a person runs it: from its source, on a class path without a class of ours. */
    private void runExample(String... request) throws Exception {
        Path source = Path.of("..", "docs", "examples", "PublishConfigChange.java");
        String libraries = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.contains(".m2") || entry.contains("repository"))
                .filter(entry -> entry.endsWith(".jar") && !entry.contains("myolotrain"))
                .collect(Collectors.joining(File.pathSeparator));
        var command = new java.util.ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                libraries,
                source.toString(),
                broker.bootstrap(),
                registry.url()));
        command.addAll(List.of(request));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor(WAIT_S, TimeUnit.SECONDS)).as(output).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            assertThat(output).contains("of config-changes");
        } finally {
            process.destroyForcibly();
        }
    }

    private record Teller(BlockingQueue<String> told) implements TopicListener<DeadLetter> {
        @Override
        public void onRecord(Received<DeadLetter> record) {
            told.add(record.offset() + " " + record.value().reason());
        }

        @Override
        public void onDeleted(Deleted record) {
            told.add(record.offset() + " deleted");
        }

        @Override
        public void onUndecodable(Undecodable record) {
            told.add(record.offset() + " undecodable");
        }
    }

    private void sendRaw(byte[] value) throws Exception {
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>("dead-letters", "p".getBytes(UTF_8), value))
                    .get(WAIT_S, TimeUnit.SECONDS);
        }
    }

    private static DeadLetter letter(String reason) {
        return new DeadLetter("journal", 0, 0, reason, new byte[0], 0);
    }

    private static Schema withRequiredField(Schema schema) {
        String text = schema.toString();
        int fields = text.indexOf("\"fields\":[") + "\"fields\":[".length();
        return new Schema.Parser()
                .parse(text.substring(0, fields) + "{\"name\":\"mustHave\",\"type\":\"long\"},"
                        + text.substring(fields));
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
    }

    private void alter(String topic, String setting, String value) throws Exception {
        try (Admin admin = admin()) {
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, topic),
                            List.of(new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
                    .all()
                    .get(WAIT_S, TimeUnit.SECONDS);
        }
    }

    private String setting(String topic, String setting) throws Exception {
        try (Admin admin = admin()) {
            var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
            return admin.describeConfigs(List.of(resource))
                    .all()
                    .get(WAIT_S, TimeUnit.SECONDS)
                    .get(resource)
                    .get(setting)
                    .value();
        }
    }
}
