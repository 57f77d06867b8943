package io.myolotrain.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.myolotrain.schemas.avro.ConfigEvent;
import io.myolotrain.schemas.avro.MetricReading;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Confluent's real client against answers that a registry may give. */
class ConfluentRegistryTest {
    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;
    private volatile int status = 200;
    private volatile String answer = "{}";

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/vnd.schemaregistry.v1+json");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    @Test
    void aSchemaThatIsNotThereIsTheRecordsFaultAndIsAskedForOnce() {
        answer(404, "{\"error_code\":40403,\"message\":\"Schema not found\"}");
        try (SchemaRegistry registry = connect()) {
            assertThatThrownBy(() -> registry.schemaById(7)).isInstanceOf(Undecodable.class);
            assertThatThrownBy(() -> registry.schemaById(7)).isInstanceOf(Undecodable.class);
        }
        assertThat(requests).hasValue(1);
    }

    @Test
    void aSchemaOfAnotherTypeIsTheRecordsFaultAndIsAskedForOnce() {
        answer(200, "{\"schemaType\":\"JSON\",\"schema\":\"{}\"}");
        try (SchemaRegistry registry = connect()) {
            assertThatThrownBy(() -> registry.schemaById(7)).isInstanceOf(Undecodable.class);
            assertThatThrownBy(() -> registry.schemaById(7)).isInstanceOf(Undecodable.class);
        }
        assertThat(requests).hasValue(1);
    }

    @Test
    void aSchemaThatIsNoValidAvroIsTheRecordsFault() {
        answer(200, "{\"schema\":\"{\\\"type\\\":\\\"recrd\\\"}\"}");
        try (SchemaRegistry registry = connect()) {
            assertThatThrownBy(() -> registry.schemaById(7)).isInstanceOf(Undecodable.class);
        }
    }

    @Test
    void anErrorOfTheServerIsNeverTheRecordsFault() throws Undecodable {
        answer(500, "{\"error_code\":50001,\"message\":\"leader lost\"}");
        try (SchemaRegistry registry = connect()) {
            assertThatThrownBy(() -> registry.schemaById(7)).isInstanceOf(RegistryUnavailable.class);
            assertThatThrownBy(() -> registry.compatibility("s")).isInstanceOf(RegistryUnavailable.class);

            answer(200, "{\"schema\":\"\\\"string\\\"\"}");
            assertThat(registry.schemaById(7).getType().getName()).isEqualTo("string");
        }
    }

    @Test
    void anAnswerOfSomeOtherServerIsNeverTheRecordsFault() {
        answer(404, "<html>not here</html>");
        try (SchemaRegistry registry = connect()) {
            assertThatThrownBy(() -> registry.schemaById(7)).isInstanceOf(RegistryUnavailable.class);
        }
    }

    @Test
    void aRegistryThatIsDownIsNeverTheRecordsFault() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (SchemaRegistry registry = ConfluentRegistry.connect("http://127.0.0.1:" + port, Map.of())) {
            assertThatThrownBy(() -> registry.schemaById(7))
                    .isInstanceOf(RegistryUnavailable.class)
                    .hasMessageContaining("check that it runs");
            assertThatThrownBy(() -> registry.idFor("s", MetricReading.getClassSchema()))
                    .isInstanceOf(RegistryUnavailable.class);
        }
    }

    @Test
    void aConflictSaysWhichSubjectRefusesOurSchema() {
        answer(409, "{\"error_code\":409,\"message\":\"incompatible with an earlier schema\"}");
        try (SchemaRegistry registry = connect()) {
            assertThatThrownBy(() -> registry.idFor("journal-value", MetricReading.getClassSchema()))
                    .isInstanceOf(SchemaRefused.class)
                    .hasMessageContaining("subject=journal-value");
        }
    }

    @Test
    void aSubjectHasNoLevelOfItsOwnUntilOneIsSet() {
        try (SchemaRegistry registry = new ConfluentRegistry(new MockSchemaRegistryClient())) {
            registry.idFor("s", ConfigEvent.getClassSchema());
            assertThat(registry.compatibility("s")).isEmpty();

            registry.setCompatibility("s", SchemaRegistry.FULL_TRANSITIVE);

            assertThat(registry.compatibility("s")).contains(SchemaRegistry.FULL_TRANSITIVE);
        }
    }

    private void answer(int withStatus, String withBody) {
        status = withStatus;
        answer = withBody;
    }

    private SchemaRegistry connect() {
        return ConfluentRegistry.connect(
                "http://127.0.0.1:" + server.getAddress().getPort(), Map.of());
    }
}
