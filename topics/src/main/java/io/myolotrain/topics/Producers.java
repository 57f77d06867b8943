package io.myolotrain.topics;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One idempotent producer that the writers of all topics of a component share. Thread-safe. */
public final class Producers implements AutoCloseable {
    private static final int LINGER_MS = 1;
    private static final int BATCH_BYTES = 128 << 10;
    private static final long BUFFER_BYTES = 32L << 20;
    private static final int REQUEST_BYTES_MAX = 8 << 20; // the biggest max.message.bytes of the catalogue

    /** How long a caller may stand when the buffer is full or no broker is known. */
    private static final int BLOCK_MAX_MS = 60_000;

    /** A broker's restart must not cost an event: after this time a record is given up and reported. */
    private static final int DELIVERY_TIMEOUT_MS = 120_000;

    /** After a cut, connections may be dead without a word: then this passes before what waits goes over a new one. */
    static final int REQUEST_TIMEOUT_MS = 10_000;

    /**
     * For producers whose transactions follow each other closely. A broker that still writes the markers of one puts the first
     * record of the next off; with the client's own back-off that record would wait 100 ms for what takes two. Grows to 1 s as
     * usual when the broker is away.
     */
    public static final int TRANSACTION_BACKOFF_MS = 2;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Producer<byte[], byte[]> producer;
    private final Codecs codecs;
    private final DeliveryLog deliveries = new DeliveryLog();

    Producers(Producer<byte[], byte[]> producer, Codecs codecs) {
        this.producer = producer;
        this.codecs = codecs;
    }

    public static Producers open(Connection connection, Codecs codecs, String clientId) {
        return open(connection, codecs, clientId, Map.of());
    }

    /** @param overrides producer settings that differ for this component, for example a shorter {@code max.block.ms} */
    public static Producers open(Connection connection, Codecs codecs, String clientId, Map<String, Object> overrides) {
        var settings = new TreeMap<>(connection.clientSettings());
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MS);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, REQUEST_BYTES_MAX);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MAX_MS);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MS);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
        settings.putAll(overrides);
        return new Producers(
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()), codecs);
    }

    public <V> TopicWriter<V> writer(Topic<V> topic) {
        return new TopicWriter<>(topic, codecs.of(topic), producer, deliveries);
    }

    /** Waits until all that was sent so far is acknowledged or given up. */
    public void flush() {
        producer.flush();
    }

    /** Records that were given up since the start; each outage is logged once. */
    public long failures() {
        return deliveries.failures();
    }

    /** Sends what is buffered, within 5 s. The codecs stay open: they belong to whoever made them. */
    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }
}
