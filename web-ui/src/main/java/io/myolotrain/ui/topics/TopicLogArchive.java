package io.myolotrain.ui.topics;

import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.Decoded;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.Topics;
import io.myolotrain.ui.port.LogArchive;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads ranges of the logs with one consumer on one thread. A consumer that failed is replaced by the next reading. */
public final class TopicLogArchive implements LogArchive {
    static final int WAITING_MAX = 16; // further readings are refused
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long CLOSE_TIMEOUT_S = 5;

    private final Connection connection;
    private final Codecs codecs;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.MILLISECONDS, new ArrayBlockingQueue<>(WAITING_MAX), TopicLogArchive::thread);
    private @Nullable Consumer<byte[], byte[]> consumer; // on the thread only

    public TopicLogArchive(Connection connection, Codecs codecs) {
        this.connection = connection;
        this.codecs = codecs;
    }

    @Override
    public <T> CompletionStage<T> read(Function<Records, T> reading) {
        var answer = new CompletableFuture<T>();
        try {
            thread.execute(() -> {
                try {
                    answer.complete(reading.apply(new Ranges(open())));
                } catch (RuntimeException e) {
                    discard();
                    answer.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(
                    new IllegalStateException("at most " + WAITING_MAX + " readings of the log wait", e));
        }
        return answer;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (thread.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
                discard();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Consumer<byte[], byte[]> open() {
        if (consumer == null) {
            var settings = new TreeMap<>(connection.clientSettings());
            settings.put(ConsumerConfig.CLIENT_ID_CONFIG, "myolotrain-ui-archive");
            settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"); // ranges are checked before
            settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
            settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
            settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) ANSWER_TIMEOUT.toMillis());
            settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) ANSWER_TIMEOUT.toMillis());
            consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }
        return consumer;
    }

    private void discard() {
        if (consumer != null) {
            consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
            consumer = null;
        }
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "ui-archive");
        thread.setDaemon(true);
        return thread;
    }

    private final class Ranges implements Records {
        private final Consumer<byte[], byte[]> consumer;

        Ranges(Consumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        @Override
        public List<Extent> extents(Log log) {
            var partitions = new ArrayList<TopicPartition>();
            for (int partition = 0; partition < topic(log).partitions(); partition++) {
                partitions.add(new TopicPartition(log.topic(), partition));
            }
            Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions);
            Map<TopicPartition, Long> end = consumer.endOffsets(partitions);
            return partitions.stream()
                    .map(p -> new Extent(p.partition(), first.getOrDefault(p, 0L), end.getOrDefault(p, 0L)))
                    .toList();
        }

        @Override
        public long firstSince(Log log, int partition, long atMs) {
            var at = new TopicPartition(log.topic(), partition);
            var found = consumer.offsetsForTimes(Map.of(at, atMs)).get(at);
            return found != null
                    ? found.offset()
                    : consumer.endOffsets(List.of(at)).getOrDefault(at, 0L);
        }

        @Override
        public List<Line> read(Log log, int partition, long from, long to) {
            var lines = new ArrayList<Line>();
            if (from >= to) {
                return lines;
            }
            var at = new TopicPartition(log.topic(), partition);
            consumer.assign(List.of(at));
            consumer.seek(at, from);
            long deadline = System.nanoTime() + ANSWER_TIMEOUT.toNanos();
            while (consumer.position(at) < to) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.offset() < to) {
                        lines.add(line(log, record));
                    }
                }
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("a range of a log must be readable within "
                            + ANSWER_TIMEOUT.toSeconds() + " s: topic=" + at + " from=" + from + " to=" + to
                            + " reached=" + consumer.position(at));
                }
            }
            return lines;
        }

        private Line line(Log log, ConsumerRecord<byte[], byte[]> record) {
            return new Line(
                    log,
                    record.partition(),
                    record.offset(),
                    record.timestamp(),
                    record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8),
                    record.value() == null ? new Unreadable("deleted") : entry(log, record));
        }

        private Entry entry(Log log, ConsumerRecord<byte[], byte[]> record) {
            return switch (log) {
                case JOURNAL -> decoded(Topics.JOURNAL, record, line -> new Journaled(line.at(record.offset())));
                case DECISIONS -> decoded(Topics.DECISIONS, record, Decided::new);
                case DEAD_LETTERS ->
                    decoded(
                            Topics.DEAD_LETTERS,
                            record,
                            letter ->
                                    new Rejected(letter.topic(), letter.partition(), letter.offset(), letter.reason()));
            };
        }

        private <V> Entry decoded(Topic<V> topic, ConsumerRecord<byte[], byte[]> record, Function<V, Entry> entry) {
            Decoded<V> decoded = codecs.of(topic).decode(record.value());
            return decoded instanceof Decoded.Value<V> value
                    ? entry.apply(value.value())
                    : new Unreadable(((Decoded.Unreadable<V>) decoded).reason());
        }

        private static Topic<?> topic(Log log) {
            return switch (log) {
                case JOURNAL -> Topics.JOURNAL;
                case DECISIONS -> Topics.DECISIONS;
                case DEAD_LETTERS -> Topics.DEAD_LETTERS;
            };
        }
    }
}
