package io.myolotrain.topics;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Writes one topic's values. Thread-safe; records of one key keep their order. */
public final class TopicWriter<V> {
    private final Topic<V> topic;
    private final TopicCodec<V> codec;
    private final Producer<byte[], byte[]> producer;
    private final DeliveryLog deliveries;

    TopicWriter(Topic<V> topic, TopicCodec<V> codec, Producer<byte[], byte[]> producer, DeliveryLog deliveries) {
        this.topic = topic;
        this.codec = codec;
        this.producer = producer;
        this.deliveries = deliveries;
    }

    /** Called on the producer's thread: must not block. */
    @FunctionalInterface
    public interface Delivery {
        /** @param error null when the record was acknowledged */
        void done(@Nullable Position position, @Nullable Exception error);
    }

    /** Where a record stands. */
    public record Position(int partition, long offset) {}

    /** Returns at once; a failure is counted and logged. */
    public void send(String key, V value) {
        send(key, value, (position, error) -> {});
    }

    public void send(String key, V value, Delivery delivery) {
        var unused = enqueue(key, value, (metadata, error) -> { // the outcome goes to the callback
            if (error == null) {
                delivery.done(new Position(metadata.partition(), metadata.offset()), null);
            } else {
                delivery.done(null, error);
            }
        });
    }

    /**
     * Waits for the acknowledgement of all in-sync replicas.
     *
     * @throws KafkaException when the record was given up
     */
    public Position sendAndWait(String key, V value) {
        try {
            RecordMetadata metadata =
                    enqueue(key, value, (ignored, error) -> {}).get();
            return new Position(metadata.partition(), metadata.offset());
        } catch (ExecutionException e) {
            throw new KafkaException("a record must be acknowledged: topic=" + topic + " key=" + key, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while waiting for an acknowledgement: topic=" + topic, e);
        }
    }

    private Future<RecordMetadata> enqueue(String key, V value, Callback callback) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("a record must have a key: topic=" + topic + " key=" + topic.key());
        }
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        return producer.send(new ProducerRecord<>(topic.name(), keyBytes, codec.encode(value)), (metadata, error) -> {
            if (error == null) {
                deliveries.delivered();
            } else {
                deliveries.failed(topic.name(), error);
            }
            callback.onCompletion(metadata, error);
        });
    }
}
