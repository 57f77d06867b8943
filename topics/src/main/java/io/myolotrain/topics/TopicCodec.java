package io.myolotrain.topics;

import io.myolotrain.schemas.AvroDeserializer;
import io.myolotrain.schemas.AvroSerializer;
import io.myolotrain.schemas.RegistryUnavailable;
import io.myolotrain.schemas.SchemaRegistry;
import io.myolotrain.schemas.Undecodable;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/** A topic's values as bytes, both ways. Thread-safe. */
public final class TopicCodec<V> {
    private final Function<V, byte[]> encoder;
    private final Reading<V> decoder;
    private final Runnable preparation;

    private interface Reading<V> {
        V read(byte[] bytes) throws Undecodable;
    }

    private TopicCodec(Function<V, byte[]> encoder, Reading<V> decoder, Runnable preparation) {
        this.encoder = encoder;
        this.decoder = decoder;
        this.preparation = preparation;
    }

    static <V> TopicCodec<V> of(Topic<V> topic, SchemaRegistry registry) {
        return of(topic.name(), topic.mapping(), registry);
    }

    private static <V, A extends SpecificRecordBase> TopicCodec<V> of(
            String topic, AvroMapping<V, A> mapping, SchemaRegistry registry) {
        Schema schema = SpecificData.get().getSchema(mapping.type());
        var serializer = new AvroSerializer<>(registry, SchemaRegistry.valueSubject(topic), mapping.type(), schema);
        var deserializer = new AvroDeserializer<>(registry, mapping.type(), schema);
        return new TopicCodec<>(
                value -> serializer.serialize(mapping.toAvro(value)),
                bytes -> mapping.fromAvro(deserializer.deserialize(bytes)),
                serializer::schemaId);
    }

    /** @throws RegistryUnavailable before the first success only */
    public byte[] encode(V value) {
        return encoder.apply(value);
    }

    /** @throws RegistryUnavailable when the writer's schema is new here and the registry does not answer: try again */
    public Decoded<V> decode(byte[] bytes) {
        try {
            return new Decoded.Value<>(decoder.read(bytes));
        } catch (Undecodable e) {
            return new Decoded.Unreadable<>(e.reason());
        } catch (IllegalArgumentException | ArithmeticException e) { // core's own checks of its records
            return new Decoded.Unreadable<>(String.valueOf(e.getMessage()));
        }
    }

    /** Registers the schema now rather than with the first record. */
    public void prepare() {
        preparation.run();
    }

    /** For Streams and typed clients; unreadable bytes throw {@link SerializationException}, null stays null. */
    public Serde<V> serde() {
        return Serdes.serdeFrom(serializer(), deserializer());
    }

    // Kafka's interfaces are not annotated: null is a tombstone there.
    @SuppressWarnings("NullAway")
    private Serializer<V> serializer() {
        return (topic, value) -> value == null ? null : encode(value);
    }

    @SuppressWarnings("NullAway")
    private Deserializer<V> deserializer() {
        return (topic, bytes) -> bytes == null ? null : decodeOrThrow(topic, bytes);
    }

    private V decodeOrThrow(String topic, byte[] bytes) {
        Decoded<V> decoded = decode(bytes);
        if (decoded instanceof Decoded.Value<V> read) {
            return read.value();
        }
        throw new SerializationException("topic=" + topic + ": " + ((Decoded.Unreadable<V>) decoded).reason());
    }
}
