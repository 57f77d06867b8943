package io.myolotrain.topics;

import io.myolotrain.schemas.RegistryUnavailable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a topic on a daemon thread of its own, all partitions, committed records only, outside any consumer group. A slow
 * listener slows the reader and nothing else: nothing is buffered beyond one poll.
 */
public final class TopicReader<V> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicReader.class);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long RETRY_FIRST_MS = 100;
    private static final long RETRY_MAX_MS = 2_000;
    private static final long CLOSE_TIMEOUT_MS = 5_000;
    private static final Duration CONSUMER_CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Beyond this number, records that cannot be read are counted and told, not logged. */
    private static final long UNDECODABLE_LOGGED_MAX = 100;

    private final Topic<V> topic;
    private final TopicCodec<V> codec;
    private final Consumer<byte[], byte[]> consumer;
    private final TopicListener<V> listener;
    private final ReaderPositions positions;
    private final CompletableFuture<Void> caughtUp = new CompletableFuture<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicLong undecodable = new AtomicLong();
    private final AtomicLong slow = new AtomicLong();
    private final long slowNanos;
    private final Thread thread;

    TopicReader(
            Topic<V> topic,
            TopicCodec<V> codec,
            Consumer<byte[], byte[]> consumer,
            ReadFrom from,
            TopicListener<V> listener) {
        this(topic, codec, consumer, from, listener, SLOW_NANOS);
    }

    /** @param slowNanos a listener that takes longer over one record is named in the log */
    TopicReader(
            Topic<V> topic,
            TopicCodec<V> codec,
            Consumer<byte[], byte[]> consumer,
            ReadFrom from,
            TopicListener<V> listener,
            long slowNanos) {
        this.slowNanos = slowNanos;
        this.topic = topic;
        this.codec = codec;
        this.consumer = consumer;
        this.listener = listener;
        this.positions = new ReaderPositions(consumer, topic.name(), from, listener);
        this.thread = new Thread(this::run, "reader-" + topic.name());
        this.thread.setDaemon(true);
    }

    /** Starts at once. {@code ReadFrom.end()} is in force when {@link #caughtUp()} completes. */
    public static <V> TopicReader<V> open(
            Connection connection, Codecs codecs, Topic<V> topic, ReadFrom from, TopicListener<V> listener) {
        var settings = new TreeMap<>(connection.clientSettings());
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"); // never jump silently
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, Producers.REQUEST_TIMEOUT_MS);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        var reader = new TopicReader<>(topic, codecs.of(topic), consumer, from, listener);
        reader.start();
        return reader;
    }

    void start() {
        thread.start();
    }

    /** Completes when all that the topic held at the start has been told; fails when the reader stops before. */
    public CompletableFuture<Void> caughtUp() {
        return caughtUp;
    }

    /** Records that could not be read so far. */
    public long undecodable() {
        return undecodable.get();
    }

    /** Records over which the listener took longer than a second so far. */
    public long slow() {
        return slow.get();
    }

    private void run() {
        try {
            assign();
            while (isOpen()) {
                poll();
                if (isOpen() && !caughtUp.isDone() && positions.caughtUp()) {
                    caughtUp.complete(null);
                }
            }
        } catch (RuntimeException e) { // a wake-up by close() among them
            stoppedBy(e);
        } finally {
            caughtUp.cancel(false);
            consumer.close(CloseOptions.timeout(CONSUMER_CLOSE_TIMEOUT));
        }
    }

    private void stoppedBy(RuntimeException cause) {
        if (!isOpen()) {
            return;
        }
        LOG.atError()
                .addKeyValue("topic", topic)
                .addKeyValue("error", cause.toString())
                .setCause(cause)
                .log("Reader stopped");
        caughtUp.completeExceptionally(cause);
        listener.onStopped(cause);
    }

    /** Waits for the broker and the topic as long as the reader is wanted. */
    private void assign() {
        Backoff backoff = new Backoff();
        while (isOpen()) {
            try {
                positions.assign();
                return;
            } catch (RetriableException e) {
                backoff.pause("Topic cannot be read yet", e);
            }
        }
    }

    private void poll() {
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (!isOpen()) {
                    return;
                }
                long startedNanos = System.nanoTime();
                tell(record);
                nameIfSlow(record, System.nanoTime() - startedNanos);
            }
        } catch (OffsetOutOfRangeException e) {
            positions.recover(e.offsetOutOfRangePartitions());
        }
    }

    /** No group waits for this reader, so a slow record delays the next ones and nothing else; but it should be known. */
    private void nameIfSlow(ConsumerRecord<byte[], byte[]> record, long tookNanos) {
        if (tookNanos > slowNanos) {
            slow.incrementAndGet();
            LOG.atWarn()
                    .addKeyValue("topic", topic)
                    .addKeyValue("partition", record.partition())
                    .addKeyValue("offset", record.offset())
                    .addKeyValue("millis", TimeUnit.NANOSECONDS.toMillis(tookNanos))
                    .log("Record took long");
        }
    }

    private void tell(ConsumerRecord<byte[], byte[]> record) {
        String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
        if (!listener.wants(record.partition(), record.timestamp(), key)) {
            return;
        }
        byte[] bytes = record.value();
        if (bytes == null) {
            listener.onDeleted(new TopicListener.Deleted(record.partition(), record.offset(), key));
            return;
        }
        Optional<Decoded<V>> decoded = decode(bytes);
        if (decoded.isEmpty()) {
            return; // closed while the registry was away
        }
        if (decoded.get() instanceof Decoded.Value<V> read) {
            listener.onRecord(new TopicListener.Received<>(
                    record.partition(), record.offset(), record.timestamp(), key, read.value()));
        } else if (decoded.get() instanceof Decoded.Unreadable<V> bad) {
            tellUndecodable(
                    new TopicListener.Undecodable(record.partition(), record.offset(), key, bytes, bad.reason()));
        }
    }

    private Optional<Decoded<V>> decode(byte[] bytes) {
        Backoff backoff = new Backoff();
        while (isOpen()) {
            try {
                return Optional.of(codec.decode(bytes));
            } catch (RegistryUnavailable e) {
                backoff.pause("Reader waits for the schema registry", e);
            }
        }
        return Optional.empty();
    }

    private void tellUndecodable(TopicListener.Undecodable record) {
        if (undecodable.incrementAndGet() <= UNDECODABLE_LOGGED_MAX) {
            LOG.atWarn()
                    .addKeyValue("topic", topic)
                    .addKeyValue("partition", record.partition())
                    .addKeyValue("offset", record.offset())
                    .addKeyValue("reason", record.reason())
                    .log("Record cannot be read");
        }
        listener.onUndecodable(record);
    }

    private boolean isOpen() {
        return closing.getCount() > 0;
    }

    /** Returns when the thread has ended, or after 5 s when a callback does not return. */
    @Override
    public void close() {
        closing.countDown();
        if (Thread.currentThread() == thread) {
            return; // a callback closes its own reader: the loop ends after it
        }
        consumer.wakeup();
        try {
            thread.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Doubling pauses that a close ends at once; logs the first failure only. */
    private final class Backoff {
        private long nextMs = RETRY_FIRST_MS;

        void pause(String message, RuntimeException cause) {
            if (nextMs == RETRY_FIRST_MS) {
                LOG.atWarn()
                        .addKeyValue("topic", topic)
                        .addKeyValue("error", cause.toString())
                        .log(message);
            }
            try {
                if (closing.await(nextMs, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
            nextMs = Math.min(2 * nextMs, RETRY_MAX_MS);
        }
    }
}
