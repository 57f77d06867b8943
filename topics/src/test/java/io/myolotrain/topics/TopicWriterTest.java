package io.myolotrain.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.myolotrain.schemas.ConfluentRegistry;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class TopicWriterTest {
    private static final DeadLetter LETTER = new DeadLetter("journal", 1, 2, "why", new byte[] {1, 2}, 3);

    private final Codecs codecs = Codecs.of(new ConfluentRegistry(new MockSchemaRegistryClient()));

    @Test
    void aRecordCarriesItsKeyInUtf8AndItsValueInTheWireFormat() {
        var broker = broker(true);
        try (Producers producers = new Producers(broker, codecs)) {
            producers.writer(Topics.DEAD_LETTERS).send("pool-ä", LETTER);
        }
        assertThat(broker.history()).singleElement().satisfies(record -> {
            assertThat(record.topic()).isEqualTo("dead-letters");
            assertThat(record.key()).isEqualTo("pool-ä".getBytes(UTF_8));
            assertThat(codecs.of(Topics.DEAD_LETTERS).decode(record.value())).isEqualTo(new Decoded.Value<>(LETTER));
        });
    }

    @Test
    void aWaitingSendTellsWhereTheRecordStands() {
        try (Producers producers = new Producers(broker(true), codecs)) {
            var writer = producers.writer(Topics.DEAD_LETTERS);
            assertThat(writer.sendAndWait("p", LETTER).offset()).isZero();
            assertThat(writer.sendAndWait("p", LETTER).offset()).isEqualTo(1);
        }
    }

    @Test
    void aRecordThatIsGivenUpReachesItsCallbackAndTheCount() {
        var broker = broker(false);
        List<Exception> failures = new ArrayList<>();
        try (Producers producers = new Producers(broker, codecs)) {
            var writer = producers.writer(Topics.DEAD_LETTERS);
            writer.send("p", LETTER);
            writer.send("p", LETTER, (position, error) -> failures.add(error));
            broker.errorNext(new TimeoutException("no broker"));
            broker.errorNext(new TimeoutException("no broker"));

            assertThat(producers.failures()).isEqualTo(2);
            assertThat(failures).singleElement().isInstanceOf(TimeoutException.class);
        }
    }

    @Test
    void aWaitingSendThrowsWhenTheRecordIsGivenUp() {
        var broker = broker(true);
        broker.sendException = new TimeoutException("no broker");
        try (Producers producers = new Producers(broker, codecs)) {
            assertThatThrownBy(() -> producers.writer(Topics.DEAD_LETTERS).sendAndWait("p", LETTER))
                    .isInstanceOf(KafkaException.class);
        }
    }

    @Test
    void G05_aRecordWithoutAKeyIsRefused() {
        try (Producers producers = new Producers(broker(true), codecs)) {
            assertThatThrownBy(() -> producers.writer(Topics.DEAD_LETTERS).send("", LETTER))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must have a key");
        }
    }

    private static MockProducer<byte[], byte[]> broker(boolean acknowledges) {
        return new MockProducer<>(acknowledges, null, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
