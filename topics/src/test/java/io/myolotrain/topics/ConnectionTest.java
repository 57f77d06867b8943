package io.myolotrain.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConnectionTest {
    @Test
    void secretsReachTheClientsThatNeedThemAndNoText() {
        var connection = new Connection(
                "broker:9092",
                "http://registry:8081",
                new TreeMap<>(Map.of(
                        "sasl.jaas.config", "password=secret", "schema.registry.basic.auth.user.info", "me:secret")));

        assertThat(connection.toString()).doesNotContain("secret");
        assertThat(connection.clientSettings())
                .containsEntry("sasl.jaas.config", "password=secret")
                .containsEntry("bootstrap.servers", "broker:9092")
                .doesNotContainKey("schema.registry.basic.auth.user.info");
        assertThat(connection.registrySettings()).containsEntry("basic.auth.user.info", "me:secret");
    }
}
