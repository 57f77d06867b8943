package io.myolotrain.sampler;

import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.Provisioning;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running sampler; several share the pools. Charts may wait for it, training never does. Thread-safe. */
public final class SamplerApp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SamplerApp.class);
    /** A broker and a registry that are started together with this may take a while. */
    private static final Duration START_PATIENCE = Duration.ofMinutes(1);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(4);
    /** Of one partition, 200 B each. */
    private static final int RECORDS_AHEAD_MAX = 10_000;

    private static final int DEATHS_IN_A_ROW_MAX = 100;
    private static final long IN_A_ROW_NANOS = 60_000_000_000L;
    private static final long PAUSE_MAX_MS = 5_000;

    private final KafkaStreams streams;
    private final Codecs codecs;
    private final SamplerCounts counts;
    private int deathsInARow;
    private long lastDeathNanos;
    private final AtomicReference<@Nullable String> trouble = new AtomicReference<>();

    /**
     * @param state name of the stream client's state
     * @param counts since this process started; {@code dropped.*} and {@code rejected.*} say why
     * @param trouble the last thread's death, empty while all is well
     */
    public record Health(String state, boolean healthy, SortedMap<String, Long> counts, Optional<String> trouble) {}

    private SamplerApp(Connection connection, SamplerOptions options, Codecs codecs) {
        this.codecs = codecs;
        this.counts = new SamplerCounts();
        this.streams = new KafkaStreams(SamplerTopology.build(codecs, options, counts), settings(connection, options));
        streams.setUncaughtExceptionHandler(this::onDeath);
    }

    /**
     * Creates the topics that are missing and starts; returns before the first reading is read.
     *
     * @throws org.apache.kafka.common.KafkaException when the broker or the registry does not answer
     */
    public static SamplerApp start(Connection connection, SamplerOptions options) {
        Codecs codecs = Codecs.of(connection);
        try {
            Provisioning.ensureWithin(START_PATIENCE, connection, codecs, (short) -1);
            var app = new SamplerApp(connection, options, codecs);
            app.streams.start();
            return app;
        } catch (RuntimeException e) {
            codecs.close();
            throw e;
        }
    }

    private static Properties settings(Connection connection, SamplerOptions options) {
        var settings = new Properties();
        settings.putAll(connection.clientSettings());
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, options.applicationId());
        settings.put(
                StreamsConfig.STATE_DIR_CONFIG,
                options.stateDirectory().toAbsolutePath().toString());
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        // The sampler commits after a flush. Streams' own commits fall between two, and store all that the next one
        // publishes.
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 5_000);
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L); // the stores bring their own
        // Requests are rare and their partition is empty: looking at each reading whether one may be on its way takes a
        // third of the time. A request that came while no sampler ran may take effect a few readings of the backlog
        // late.
        settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        settings.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, RECORDS_AHEAD_MAX);
        settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 5);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 128 << 10);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), 3 << 20);
        settings.put(
                StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), Producers.TRANSACTION_BACKOFF_MS);
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), RECORDS_AHEAD_MAX);
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_500);
        return settings;
    }

    private synchronized int countDeath() {
        long now = System.nanoTime();
        deathsInARow = now - lastDeathNanos > IN_A_ROW_NANOS ? 1 : deathsInARow + 1;
        lastDeathNanos = now;
        return deathsInARow;
    }

    private StreamThreadExceptionResponse onDeath(Throwable death) {
        int deaths = countDeath();
        trouble.set(death.toString());
        LOG.atError().setCause(death).addKeyValue("deaths", deaths).log("sampler thread died");
        if (deaths > DEATHS_IN_A_ROW_MAX) {
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        try {
            Thread.sleep(Math.min(PAUSE_MAX_MS, 100L << Math.min(6, deaths - 1)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    public Health health() {
        KafkaStreams.State state = streams.state();
        return new Health(
                state.name(), state == KafkaStreams.State.RUNNING, counts.all(), Optional.ofNullable(trouble.get()));
    }

    /** Publishes what is committed and leaves the group; at most 4 s. */
    @Override
    public void close() {
        boolean clean =
                streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                        .withTimeout(CLOSE_TIMEOUT));
        if (!clean) {
            LOG.atWarn().addKeyValue("state", streams.state()).log("sampler did not stop in time");
        }
        codecs.close();
    }
}
