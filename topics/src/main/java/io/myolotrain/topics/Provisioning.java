package io.myolotrain.topics;

import io.myolotrain.schemas.SchemaRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates what is missing and reports what differs. Never alters a topic or a subject that somebody has set up. */
public final class Provisioning {
    private static final Logger LOG = LoggerFactory.getLogger(Provisioning.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** A fresh topic may take a moment to be seen by every broker. */
    private static final int DESCRIBE_ATTEMPTS_MAX = 50;

    private static final long DESCRIBE_PAUSE_MS = 100;

    private static final long RETRY_PAUSE_MS = 1_000;

    private final Admin admin;
    private final SchemaRegistry registry;

    private Provisioning(Admin admin, SchemaRegistry registry) {
        this.admin = admin;
        this.registry = registry;
    }

    /** @param replicationFactor of topics that are created; -1 = the broker's default */
    public static ProvisioningReport ensure(Connection connection, Codecs codecs, short replicationFactor) {
        try (Admin admin = Admin.create(new TreeMap<String, Object>(connection.clientSettings()))) {
            return ensure(admin, codecs, replicationFactor);
        }
    }

    /**
     * The same for a component that may be started before the broker or the registry is up: tries again for as long as
     * {@code patience} lasts, then throws what it failed with last.
     */
    public static ProvisioningReport ensureWithin(
            Duration patience, Connection connection, Codecs codecs, short replicationFactor) {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return ensure(connection, codecs, replicationFactor);
            } catch (RetriableException e) {
                if (System.nanoTime() >= deadlineNanos) {
                    throw e;
                }
                LOG.atWarn()
                        .addKeyValue("connection", connection)
                        .addKeyValue("reason", e.getMessage())
                        .log("broker or registry is not ready, trying again");
                pause(RETRY_PAUSE_MS);
            }
        }
    }

    public static ProvisioningReport ensure(Connection connection, short replicationFactor) {
        try (Codecs codecs = Codecs.of(connection)) {
            return ensure(connection, codecs, replicationFactor);
        }
    }

    public static ProvisioningReport ensure(Admin admin, Codecs codecs, short replicationFactor) {
        return new Provisioning(admin, codecs.registry()).ensure(codecs, replicationFactor);
    }

    private ProvisioningReport ensure(Codecs codecs, short replicationFactor) {
        List<String> created = createMissing(replicationFactor);
        var drift = new ArrayList<ProvisioningReport.Drift>();
        Map<String, TopicDescription> descriptions = describe();
        Map<String, Config> configs = configs();
        for (Topic<?> topic : Topics.all()) {
            comparePartitions(topic, descriptions, drift);
            compareConfigs(topic, configs, drift);
            ensureCompatibility(topic, drift);
            codecs.of(topic).prepare();
        }
        return new ProvisioningReport(created, drift);
    }

    private List<String> createMissing(short replicationFactor) {
        Set<String> present = await(admin.listTopics().names());
        var missing = new ArrayList<NewTopic>();
        for (Topic<?> topic : Topics.all()) {
            if (!present.contains(topic.name())) {
                missing.add(new NewTopic(topic.name(), topic.partitions(), replicationFactor).configs(topic.configs()));
            }
        }
        Map<String, KafkaFuture<Void>> creations = admin.createTopics(missing).values();
        var created = new ArrayList<String>();
        for (NewTopic topic : missing) {
            KafkaFuture<Void> creation = creations.get(topic.name());
            if (creation != null && isCreated(creation)) {
                created.add(topic.name());
            }
        }
        return created;
    }

    /** False when another component was quicker. */
    private static boolean isCreated(KafkaFuture<Void> creation) {
        try {
            await(creation);
            return true;
        } catch (TopicExistsException e) {
            return false;
        }
    }

    private Map<String, TopicDescription> describe() {
        List<String> names = Topics.all().stream().map(Topic::name).toList();
        for (int attempt = 1; ; attempt++) {
            try {
                return await(admin.describeTopics(names).allTopicNames());
            } catch (UnknownTopicOrPartitionException e) {
                if (attempt == DESCRIBE_ATTEMPTS_MAX) {
                    throw e;
                }
                pause(DESCRIBE_PAUSE_MS);
            }
        }
    }

    private Map<String, Config> configs() {
        var resources = new ArrayList<ConfigResource>();
        for (Topic<?> topic : Topics.all()) {
            resources.add(new ConfigResource(ConfigResource.Type.TOPIC, topic.name()));
        }
        var byName = new TreeMap<String, Config>();
        await(admin.describeConfigs(resources).all())
                .forEach((resource, config) -> byName.put(resource.name(), config));
        return byName;
    }

    private static void comparePartitions(
            Topic<?> topic, Map<String, TopicDescription> descriptions, List<ProvisioningReport.Drift> drift) {
        TopicDescription found = descriptions.get(topic.name());
        if (found != null && found.partitions().size() != topic.partitions()) {
            drift.add(new ProvisioningReport.Drift(
                    topic.name(),
                    "partitions",
                    Integer.toString(topic.partitions()),
                    Integer.toString(found.partitions().size())));
        }
    }

    private static void compareConfigs(
            Topic<?> topic, Map<String, Config> configs, List<ProvisioningReport.Drift> drift) {
        Config config = configs.get(topic.name());
        if (config == null) {
            return;
        }
        topic.configs().forEach((setting, wanted) -> {
            var entry = config.get(setting);
            String found = entry == null ? "not set" : entry.value();
            if (!wanted.equals(found)) {
                drift.add(new ProvisioningReport.Drift(topic.name(), setting, wanted, found));
            }
        });
    }

    private void ensureCompatibility(Topic<?> topic, List<ProvisioningReport.Drift> drift) {
        String subject = SchemaRegistry.valueSubject(topic.name());
        Optional<String> found = registry.compatibility(subject);
        if (found.isEmpty()) {
            registry.setCompatibility(subject, SchemaRegistry.FULL_TRANSITIVE);
        } else if (!found.get().equals(SchemaRegistry.FULL_TRANSITIVE)) {
            drift.add(new ProvisioningReport.Drift(
                    topic.name(), "compatibility", SchemaRegistry.FULL_TRANSITIVE, found.get()));
        }
    }

    private static void pause(long pauseMs) {
        try {
            Thread.sleep(pauseMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while waiting for topics, broker or registry", e);
        }
    }

    private static <T> T await(KafkaFuture<T> future) {
        try {
            return future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KafkaException known) {
                throw known;
            }
            throw new KafkaException("the broker must answer an administrative request", e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(
                    "the broker must answer within " + TIMEOUT.toSeconds() + " s; check that it runs and its address",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while waiting for the broker", e);
        }
    }
}
