package io.myolotrain.cli.embedded.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import io.myolotrain.cli.embedded.EmbeddedBroker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The registry as Confluent's own client sees it, over a real broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegistryIT {
    private static final String BASE = record("{\"name\":\"a\",\"type\":\"long\"}");
    private static final String WITH_DEFAULT =
            record("{\"name\":\"a\",\"type\":\"long\"},{\"name\":\"b\",\"type\":\"string\",\"default\":\"\"}");
    private static final String WITH_REQUIRED =
            record("{\"name\":\"a\",\"type\":\"long\"},{\"name\":\"c\",\"type\":\"string\"}");

    private EmbeddedBroker broker;
    private RegistryServer registry;

    private static String record(String fields) {
        return "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}";
    }

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        broker = EmbeddedBroker.start(EmbeddedBroker.Options.in(directory.resolve("kafka")));
        registry = RegistryServer.start(broker.bootstrap(), 0);
    }

    @AfterAll
    void stop() throws IOException {
        registry.close();
        broker.close();
    }

    private CachedSchemaRegistryClient client() {
        return new CachedSchemaRegistryClient(registry.url(), 100);
    }

    private void restartRegistry() {
        registry.close();
        registry = RegistryServer.start(broker.bootstrap(), 0);
    }

    @Test
    void whatIsRegisteredIsFoundByIdVersionAndText() throws Exception {
        int id = client().register("lookups", new AvroSchema(BASE));
        var other = client();
        assertThat(other.getSchemaById(id).canonicalString()).isEqualTo(BASE);
        assertThat(other.getId("lookups", new AvroSchema(BASE))).isEqualTo(id);
        assertThat(other.getVersion("lookups", new AvroSchema(BASE))).isEqualTo(1);
        assertThat(other.getLatestSchemaMetadata("lookups").getSchema()).isEqualTo(BASE);
        assertThat(other.getAllVersions("lookups")).containsExactly(1);
        assertThat(other.getAllSubjects()).contains("lookups");
    }

    @Test
    void theSameSchemaHasOneIdInEverySubject() throws Exception {
        int first = client().register("same-1", new AvroSchema(BASE));
        assertThat(client().register("same-2", new AvroSchema(BASE))).isEqualTo(first);
        assertThat(client().register("same-1", new AvroSchema(BASE))).isEqualTo(first);
    }

    @Test
    void anIncompatibleSchemaIsRefusedWithConflict() throws Exception {
        var client = client();
        client.updateCompatibility("strict", "FULL_TRANSITIVE");
        client.register("strict", new AvroSchema(BASE));
        assertThat(client.testCompatibility("strict", new AvroSchema(WITH_REQUIRED)))
                .isFalse();
        assertThat(client.testCompatibility("strict", new AvroSchema(WITH_DEFAULT)))
                .isTrue();
        assertThatThrownBy(() -> client.register("strict", new AvroSchema(WITH_REQUIRED)))
                .isInstanceOfSatisfying(RestClientException.class, e -> {
                    assertThat(e.getStatus()).isEqualTo(409);
                    assertThat(e.getErrorCode()).isEqualTo(409);
                })
                .hasMessageContaining("READER_FIELD_MISSING_DEFAULT_VALUE");
        assertThat(client.getAllVersions("strict")).containsExactly(1);
    }

    @Test
    void errorsCarryConfluentsCodes() {
        assertCode(40401, () -> client().getAllVersions("nobody"));
        assertCode(40402, () -> {
            client().register("one-version", new AvroSchema(BASE));
            client().getSchemaMetadata("one-version", 9);
        });
        assertCode(40403, () -> client().getSchemaById(99_999));
        assertCode(42203, () -> client().updateCompatibility("any", "SOMEHOW"));
        assertThat(post("/subjects/bad/versions", "{\"schema\":\"{nonsense\"}").body())
                .contains("42201");
        assertThat(post("/subjects/bad/versions", "[]").statusCode()).isEqualTo(400);
    }

    private interface Call {
        void run() throws Exception;
    }

    private static void assertCode(int code, Call call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(RestClientException.class, e -> assertThat(e.getErrorCode())
                        .isEqualTo(code));
    }

    private HttpResponse<String> post(String path, String body) {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(registry.url() + path))
                                    .header("content-type", "application/vnd.schemaregistry.v1+json")
                                    .POST(HttpRequest.BodyPublishers.ofString(body))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void deletionHidesFirstAndRemovesOnlyWhenAskedAgain() throws Exception {
        var client = client();
        int id = client.register("gone", new AvroSchema(BASE));
        assertCode(40405, () -> client().deleteSubject("gone", true));
        assertThat(client.deleteSubject("gone")).containsExactly(1);
        assertThat(client().getAllSubjects()).doesNotContain("gone");
        assertThat(client().getSchemaById(id).canonicalString()).isEqualTo(BASE);
        assertThat(client().register("gone", new AvroSchema(BASE))).isEqualTo(id);
        assertThat(client().getAllVersions("gone")).containsExactly(2);
        client().deleteSubject("gone");
        assertThat(client().deleteSubject("gone", true)).containsExactly(1, 2);
        restartRegistry();
        assertCode(40401, () -> client().getAllVersions("gone"));
    }

    @Test
    void aReadOnlySubjectTakesNoSchemas() throws Exception {
        var client = client();
        client.setMode("READONLY", "frozen");
        assertCode(42205, () -> client().register("frozen", new AvroSchema(BASE)));
        client.setMode("READWRITE", "frozen");
        assertThat(client().register("frozen", new AvroSchema(BASE))).isPositive();
    }

    @Test
    void aRestartForgetsNothing() throws Exception {
        var before = client();
        before.updateCompatibility("kept", "FULL");
        int id = before.register("kept", new AvroSchema(BASE));
        int next = before.register("kept", new AvroSchema(WITH_DEFAULT));
        restartRegistry();
        var after = client();
        assertThat(after.getSchemaById(id).canonicalString()).isEqualTo(BASE);
        assertThat(after.getAllVersions("kept")).containsExactly(1, 2);
        assertThat(after.getCompatibility("kept")).isEqualTo("FULL");
        assertThat(after.register("kept", new AvroSchema(WITH_DEFAULT))).isEqualTo(next);
        assertThat(after.register("kept-new", new AvroSchema("\"string\""))).isGreaterThan(next);
    }

    @Test
    void concurrentRegistrationsOfOneSchemaGetOneId() {
        var ids = new ConcurrentSkipListSet<Integer>();
        var threads = Executors.newFixedThreadPool(8);
        try {
            CompletableFuture<?>[] registrations = new CompletableFuture<?>[24];
            Arrays.setAll(
                    registrations,
                    i -> CompletableFuture.runAsync(
                            () -> {
                                try {
                                    var schema = new AvroSchema(record("{\"name\":\"racing\",\"type\":\"long\"}"));
                                    ids.add(client().register("race-" + i % 3, schema));
                                } catch (IOException | RestClientException e) {
                                    throw new AssertionError(e);
                                }
                            },
                            threads));
            CompletableFuture.allOf(registrations).join();
        } finally {
            threads.shutdown();
        }
        assertThat(ids).hasSize(1);
    }

    @Test
    void aForeignRecordInTheTopicDoesNotKeepTheRegistryFromItsStart() throws Exception {
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrap()), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(SchemaStore.TOPIC, "not json", "neither"))
                    .get();
            producer.send(new ProducerRecord<>(SchemaStore.TOPIC, "{\"keytype\":\"CONTEXT\",\"magic\":0}", "{}"))
                    .get();
            producer.send(new ProducerRecord<>(
                            SchemaStore.TOPIC,
                            "{\"keytype\":\"CONFIG\",\"magic\":0}",
                            "{\"compatibilityLevel\":\"?\"}"))
                    .get();
        }
        restartRegistry();
        assertThat(client().register("after-foreign", new AvroSchema(BASE))).isPositive();
    }

    @Test
    void theTopicHoldsConfluentsRecords() throws Exception {
        client().register("format", new AvroSchema(BASE));
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.bootstrap()), new StringDeserializer(), new StringDeserializer())) {
            var partition = new TopicPartition(SchemaStore.TOPIC, 0);
            consumer.assign(Set.of(partition));
            long end = consumer.endOffsets(Set.of(partition)).get(partition);
            consumer.seekToBeginning(Set.of(partition));
            var keys = new ConcurrentSkipListSet<String>();
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(500)).forEach(r -> keys.add(r.key()));
            }
            assertThat(keys).contains("{\"keytype\":\"SCHEMA\",\"subject\":\"format\",\"version\":1,\"magic\":1}");
        }
    }
}
