package io.myolotrain.cli.bench;

import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.coordinator.CoordinatorApp;
import io.myolotrain.coordinator.CoordinatorOptions;
import io.myolotrain.topics.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Broker, registry and coordinator in this process, in a directory that goes with them. */
final class TemporaryCluster implements AutoCloseable {
    private final Path directory;
    private final EmbeddedBroker broker;
    private final RegistryServer registry;
    private final CoordinatorApp coordinator;

    private TemporaryCluster(Path directory) throws IOException {
        this.directory = directory;
        broker = EmbeddedBroker.start(EmbeddedBroker.Options.in(directory.resolve("kafka")));
        registry = RegistryServer.start(broker.bootstrap(), 0);
        coordinator = CoordinatorApp.start(connection(), CoordinatorOptions.in(directory.resolve("coordinator")));
    }

    static TemporaryCluster start() throws IOException {
        return new TemporaryCluster(Files.createTempDirectory("myolotrain-bench"));
    }

    Connection connection() {
        return Connection.of(broker.bootstrap(), registry.url());
    }

    @Override
    public void close() throws IOException {
        coordinator.close();
        registry.close();
        broker.close();
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
