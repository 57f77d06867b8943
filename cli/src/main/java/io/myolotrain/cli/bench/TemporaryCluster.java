package io.myolotrain.cli.bench;

import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.coordinator.CoordinatorApp;
import io.myolotrain.coordinator.CoordinatorOptions;
import io.myolotrain.topics.Connection;
import java.io.IOException;
import java.nio.file.Path;

/** Broker, registry and coordinator in this process, in a directory that goes with them. */
final class TemporaryCluster implements AutoCloseable {
    private final Scratch scratch = Scratch.create();
    private final EmbeddedBroker broker;
    private final RegistryServer registry;
    private final CoordinatorApp coordinator;

    TemporaryCluster() throws IOException {
        broker = EmbeddedBroker.start(
                EmbeddedBroker.Options.in(scratch.directory().resolve("kafka")));
        registry = RegistryServer.start(broker.bootstrap(), 0);
        coordinator = CoordinatorApp.start(
                connection(),
                CoordinatorOptions.in(scratch.directory().resolve("coordinator"))
                        .holdingNobodyBack());
    }

    Path directory() {
        return scratch.directory();
    }

    /** What went wrong can be read there. */
    void keepDirectory() {
        scratch.keep();
    }

    Connection connection() {
        return Connection.of(broker.bootstrap(), registry.url());
    }

    @Override
    public void close() throws IOException {
        coordinator.close();
        registry.close();
        broker.close();
        scratch.close();
    }
}
