package io.myolotrain.cli.embedded.registry;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code _schemas} topic and what it adds up to. A write returns when it has been read back, so that whoever has been
 * answered reads his own write, and live and recovered state come by the same way.
 */
final class SchemaStore implements AutoCloseable {
    static final String TOPIC = "_schemas";
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final Logger LOG = LoggerFactory.getLogger(SchemaStore.class);
    private static final long WRITE_TIMEOUT_MS = 30_000;

    private final SchemaState state = new SchemaState(); // guarded by this
    private long nextOffset; // guarded by this: everything before it is in state

    private final KafkaProducer<String, String> producer;
    private final KafkaConsumer<String, String> consumer;
    private final Thread reader;

    private SchemaStore(String bootstrap) {
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "acks", "all", "linger.ms", 0),
                new StringSerializer(),
                new StringSerializer());
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap, "fetch.max.wait.ms", 100, "enable.auto.commit", false),
                new StringDeserializer(),
                new StringDeserializer());
        reader = new Thread(this::readUntilClosed, "schemas-reader");
        reader.setDaemon(true);
    }

    /** Returns when everything that was ever written is known. */
    static SchemaStore open(String bootstrap) {
        createTopic(bootstrap);
        SchemaStore store = new SchemaStore(bootstrap);
        try {
            store.reader.start();
            store.write(RegistryRecord.noop());
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static void createTopic(String bootstrap) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            NewTopic topic = new NewTopic(TOPIC, 1, (short) 1).configs(Map.of("cleanup.policy", "compact"));
            admin.createTopics(List.of(topic)).all().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new IllegalStateException("cannot create topic " + TOPIC + " at " + bootstrap, e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while creating topic " + TOPIC, e);
        }
    }

    synchronized <T> T read(Function<SchemaState, T> question) {
        return question.apply(state);
    }

    void write(RegistryRecord record) {
        JsonObject value = record.value();
        try {
            long offset = producer.send(new ProducerRecord<>(
                            TOPIC, 0, record.key().encode(), value == null ? null : value.encode()))
                    .get(WRITE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .offset();
            awaitRead(offset);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(
                    "write to " + TOPIC + " failed: key=" + record.key().encode(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while writing to " + TOPIC, e);
        }
    }

    private synchronized void awaitRead(long offset) throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WRITE_TIMEOUT_MS);
        while (nextOffset <= offset) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (leftMs <= 0) {
                throw new TimeoutException("offset " + offset + " was written but not read back in time");
            }
            wait(leftMs);
        }
    }

    private void readUntilClosed() {
        try (consumer) {
            consumer.assign(Set.of(PARTITION));
            consumer.seekToBeginning(Set.of(PARTITION));
            while (true) {
                var records = consumer.poll(Duration.ofSeconds(1)).records(PARTITION);
                synchronized (this) {
                    records.forEach(this::apply);
                    notifyAll();
                }
            }
        } catch (WakeupException closed) {
            LOG.atDebug().log("schema store closed");
        }
    }

    private void apply(ConsumerRecord<String, String> record) {
        try {
            String value = record.value();
            boolean kept = state.apply(
                    new RegistryRecord(new JsonObject(record.key()), value == null ? null : new JsonObject(value)));
            if (!kept) {
                LOG.atDebug().addKeyValue("key", record.key()).log("record of another registry feature left aside");
            }
        } catch (DecodeException | NullPointerException | ClassCastException | NoSuchElementException e) {
            // Anyone may write to the topic; one bad record must not keep the registry from its start.
            LOG.atWarn()
                    .addKeyValue("offset", record.offset())
                    .addKeyValue("reason", e.toString())
                    .log("unreadable registry record skipped");
        }
        nextOffset = record.offset() + 1;
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            reader.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(Duration.ofSeconds(1));
    }
}
