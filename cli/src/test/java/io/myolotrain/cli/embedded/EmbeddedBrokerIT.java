package io.myolotrain.cli.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {

    @Test
    void recordsOutliveTheBrokerThatTookThem(@TempDir Path directory) throws Exception {
        var options = EmbeddedBroker.Options.in(directory.resolve("kafka"));
        try (var broker = EmbeddedBroker.start(options)) {
            try (var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
                admin.createTopics(List.of(new NewTopic("kept", 1, (short) 1)))
                        .all()
                        .get();
            }
            send(broker, "before");
        }
        try (var broker = EmbeddedBroker.start(options)) {
            send(broker, "after");
            assertThat(readAll(broker)).containsExactly("before", "after");
        }
    }

    @Test
    void aSecondBrokerOnTheSameDirectoryIsToldWhoHoldsIt(@TempDir Path directory) throws Exception {
        var options = EmbeddedBroker.Options.in(directory.resolve("kafka"));
        try (var broker = EmbeddedBroker.start(options)) {
            assertThat(broker.bootstrap()).startsWith("127.0.0.1:");
            assertThatThrownBy(() -> EmbeddedBroker.start(options))
                    .isInstanceOf(DirectoryLock.DirectoryInUseException.class)
                    .hasMessageContaining(
                            "is held by process " + ProcessHandle.current().pid())
                    .hasMessageContaining("--state");
        }
    }

    private static void send(EmbeddedBroker broker, String value) throws Exception {
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrap()), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("kept", value)).get();
        }
    }

    private static List<String> readAll(EmbeddedBroker broker) {
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.bootstrap()), new StringDeserializer(), new StringDeserializer())) {
            var partition = new TopicPartition("kept", 0);
            consumer.assign(Set.of(partition));
            consumer.seekToBeginning(Set.of(partition));
            long end = consumer.endOffsets(Set.of(partition)).get(partition);
            var values = new ArrayList<String>();
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(500)).forEach(r -> values.add(r.value()));
            }
            return values;
        }
    }
}
