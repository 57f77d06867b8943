package io.myolotrain.coordinator;

import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.GroupHistory;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.Provisioning;
import io.myolotrain.topics.ProvisioningReport;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.DefaultProductionExceptionHandler;
import org.apache.kafka.streams.state.Stores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running coordinator. Several may run at once under one application id: the pools are shared out among them, each pool
 * being served by exactly one, and another takes over when that one is gone. Thread-safe.
 */
public final class CoordinatorApp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorApp.class);
    /** A broker and a registry that are started together with this may take a while. */
    private static final Duration START_PATIENCE = Duration.ofMinutes(1);

    private static final List<Topic<?>> READ = List.of(
            Topics.CONFIG_CHANGES, Topics.WORKER_EVENTS, Topics.STEP_COMPLETIONS, Topics.JOURNAL, Topics.DECISIONS);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(4);
    /** A broker that waits for news answers each half second. */
    private static final Duration BROKER_SILENCE_MAX = Duration.ofSeconds(2);

    private final KafkaStreams streams;
    private final Codecs codecs;
    private final Counters counters;
    private final ThreadDoctor doctor;
    private final LogPulse pulse;

    private CoordinatorApp(
            KafkaStreams streams, Codecs codecs, Counters counters, ThreadDoctor doctor, LogPulse pulse) {
        this.streams = streams;
        this.codecs = codecs;
        this.counters = counters;
        this.doctor = doctor;
        this.pulse = pulse;
    }

    /**
     * Creates the topics that are missing and starts; returns before the coordinator has taken over its pools.
     *
     * @throws org.apache.kafka.common.KafkaException when the broker or the registry does not answer
     * @throws io.myolotrain.topics.HistoryGone when events were deleted that this coordinator has not read
     */
    public static CoordinatorApp start(Connection connection, CoordinatorOptions options) {
        Codecs codecs = Codecs.of(connection);
        try {
            ProvisioningReport report = Provisioning.ensureWithin(START_PATIENCE, connection, codecs, (short) -1);
            report.drift()
                    .forEach(drift -> LOG.atWarn().addKeyValue("drift", drift).log("topic differs from this release"));
            GroupHistory.requireWhole(
                    connection,
                    codecs,
                    options.applicationId(),
                    READ,
                    options.conduct().acceptHistoryGap() ? GroupHistory.AtGap.ACCEPT : GroupHistory.AtGap.REFUSE,
                    "coordinator");
            var counters = new Counters();
            var doctor = new ThreadDoctor(options.bounds().threadReplacementsMax(), counters);
            var pulse = new LogPulse(BROKER_SILENCE_MAX, System::nanoTime);
            var topology = CoordinatorTopology.build(
                    new Wire(codecs),
                    () -> new CoreRules(options.conduct().holdsBack()),
                    options,
                    pulse,
                    counters,
                    Stores::persistentKeyValueStore);
            var streams = new KafkaStreams(topology, settings(connection, options));
            streams.setUncaughtExceptionHandler(doctor);
            streams.setStateListener((now, before) -> LOG.atInfo()
                    .addKeyValue("state", now)
                    .addKeyValue("before", before)
                    .log("coordinator changed state"));
            pulse.watch(streams::metrics);
            streams.start();
            return new CoordinatorApp(streams, codecs, counters, doctor, pulse);
        } catch (RuntimeException e) {
            codecs.close();
            throw e;
        }
    }

    /** No lingering: an event passes two transactions, the sequencer's and the coordinator's, to its plan. */
    static Properties settings(Connection connection, CoordinatorOptions options) {
        var settings = new Properties();
        settings.putAll(connection.clientSettings());
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, options.applicationId());
        settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory(options).toString());
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, CommitPolicy.INTERVAL_MS);
        settings.put(StreamsConfig.POLL_MS_CONFIG, 10);
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        // Never skips what cannot be written: a journal or a plan with a hole is worse than a coordinator that waits.
        settings.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, DefaultProductionExceptionHandler.class);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 0);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), 9 << 20);
        settings.put(
                StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), Producers.TRANSACTION_BACKOFF_MS);
        settings.put(
                StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG),
                options.applicationId() + "-" + InstanceName.keptIn(options.stateDirectory()));
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_500);
        return settings;
    }

    private static Path stateDirectory(CoordinatorOptions options) {
        return options.stateDirectory().toAbsolutePath();
    }

    /** Name of the stream client's state. */
    public String state() {
        return streams.state().name();
    }

    public CoordinatorHealth health() {
        KafkaStreams.State state = streams.state();
        boolean heard = pulse.getAsBoolean();
        boolean healthy = state == KafkaStreams.State.RUNNING && heard;
        Optional<String> trouble = doctor.gaveUp()
                .or(() -> state.isRunningOrRebalancing() && !heard
                        ? Optional.of("the broker does not answer")
                        : Optional.empty())
                .or(doctor::lastDeath);
        return new CoordinatorHealth(
                state.name(), healthy, counters.rejectedInAll(), backlog(), counters.all(), trouble);
    }

    private long backlog() {
        double lag = 0;
        for (Metric metric : streams.metrics().values()) {
            if (metric.metricName().name().equals("records-lag")
                    && metric.metricValue() instanceof Double records
                    && Double.isFinite(records)) {
                lag += Math.max(0, records);
            }
        }
        return (long) lag;
    }

    /** Commits what is done and leaves the group, so that another may take over at once; at most 4 s. */
    @Override
    public void close() {
        boolean clean =
                streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                        .withTimeout(CLOSE_TIMEOUT));
        if (!clean) {
            LOG.atWarn().addKeyValue("state", streams.state()).log("coordinator did not stop in time");
        }
        codecs.close();
    }
}
