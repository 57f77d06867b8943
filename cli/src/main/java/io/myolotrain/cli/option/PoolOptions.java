package io.myolotrain.cli.option;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.Session;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which broker, registry and pool a command talks to: as asked, else as a running demo wrote it down. */
public final class PoolOptions {
    private static final String DEFAULT_POOL = "default";

    @Mixin
    private final StateOption state = new StateOption();

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            description = "Kafka broker (default: the running demo's).")
    private @Nullable String bootstrap;

    @Option(names = "--registry", paramLabel = "URL", description = "Schema registry (default: the running demo's).")
    private @Nullable String registry;

    @Option(names = "--pool", paramLabel = "POOL", description = "Pool of workers (default: the running demo's).")
    private @Nullable String pool;

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description = "Further Kafka client settings as a properties file, for example security.")
    private @Nullable Path kafkaConfig;

    public StateOption state() {
        return state;
    }

    public Session open() {
        return Session.open(connection(), pool());
    }

    public PoolId pool() {
        String name = pool != null ? pool : running().map(Endpoints::pool).orElse(DEFAULT_POOL);
        try {
            return new PoolId(name);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "For example --pool default");
        }
    }

    public Connection connection() {
        Optional<Endpoints> running = running();
        String broker = bootstrap != null
                ? bootstrap
                : running.map(Endpoints::bootstrap).orElse("");
        String url =
                registry != null ? registry : running.map(Endpoints::registry).orElse("");
        if (broker.isEmpty() || url.isEmpty()) {
            throw CommandFailure.unreachable(
                    "no running demo found: " + Endpoints.file(state.directory()) + " names none",
                    "Start one with 'myolotrain demo', say with --state where the running one keeps its data, or name a broker"
                            + " and a registry with --bootstrap and --registry.",
                    null);
        }
        return new Connection(broker, url, settings());
    }

    private SortedMap<String, String> settings() {
        var settings = new TreeMap<String, String>();
        if (kafkaConfig != null) {
            Properties properties = new Properties();
            try (var reader = Files.newBufferedReader(kafkaConfig)) {
                properties.load(reader);
            } catch (IOException e) {
                throw CommandFailure.usage(
                        "cannot read --kafka-config " + kafkaConfig, "Check the path and its rights.");
            }
            properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        }
        return settings;
    }

    private Optional<Endpoints> running() {
        try {
            return Endpoints.read(state.directory());
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
