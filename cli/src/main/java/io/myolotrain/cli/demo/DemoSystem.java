package io.myolotrain.cli.demo;

import io.myolotrain.cli.Main;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.component.Lifetime;
import io.myolotrain.cli.component.WorkerCommand;
import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.Ports;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.cli.fleet.ChildJvm;
import io.myolotrain.cli.fleet.WorkerFleet;
import io.myolotrain.cli.option.Endpoints;
import io.myolotrain.cli.option.StateOption;
import io.myolotrain.coordinator.CoordinatorApp;
import io.myolotrain.coordinator.CoordinatorOptions;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.sampler.SamplerApp;
import io.myolotrain.sampler.SamplerOptions;
import io.myolotrain.topics.Connection;
import io.myolotrain.ui.UiOptions;
import io.myolotrain.ui.UiServer;
import io.myolotrain.worker.engine.LaunchFlags;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All parts of the demo, started in the order in which they need each other and owned by one lifetime. */
record DemoSystem(Session session, WorkerFleet fleet) {
    private static final PoolId POOL = new PoolId("default");
    /** Most of the ten seconds that stopping may take: a worker writes its checkpoint in them. */
    private static final Duration WORKER_GRACE = Duration.ofMillis(5_500);

    private static final List<String> WORKER_HEAP = List.of("-Xmx512m", "-XX:+UseSerialGC");

    static DemoSystem start(Lifetime lifetime, DemoOptions options, StateOption state, Terminal terminal)
            throws IOException {
        EmbeddedBroker broker = lifetime.own(
                "broker",
                EmbeddedBroker.start(EmbeddedBroker.Options.in(state.kafka())
                        .port(options.kafkaPort == 0 ? Ports.preferring(9092) : options.kafkaPort)));
        terminal.line("broker    " + broker.bootstrap());
        RegistryServer registry = lifetime.own(
                "registry",
                RegistryServer.start(
                        broker.bootstrap(), options.registryPort == 0 ? Ports.preferring(8081) : options.registryPort));
        terminal.line("registry  " + registry.url());

        Connection connection = Connection.of(broker.bootstrap(), registry.url());
        lifetime.own(
                "coordinator",
                CoordinatorApp.start(
                        connection, CoordinatorOptions.in(state.streams().resolve("coordinator"))));
        lifetime.own(
                "sampler",
                SamplerApp.start(connection, SamplerOptions.in(state.streams().resolve("sampler"))));
        int uiPort = options.port == 0 ? Ports.preferring(UiOptions.DEFAULT_PORT) : options.port;
        UiServer ui = lifetime.own(
                "web UI",
                UiServer.start(connection, UiOptions.loopback(uiPort, POOL).keptIn(state.ui(POOL))));
        terminal.line("web UI    " + ui.address());

        var endpoints = new Endpoints(
                broker.bootstrap(),
                registry.url(),
                ui.address(),
                POOL.value(),
                ProcessHandle.current().pid());
        endpoints.write(state.directory());
        lifetime.own("endpoints", () -> Endpoints.remove(state.directory()));

        Session session = lifetime.own("session", Session.open(connection, POOL));
        return new DemoSystem(session, workers(lifetime, session, options, state, terminal));
    }

    private static WorkerFleet workers(
            Lifetime lifetime, Session session, DemoOptions options, StateOption state, Terminal terminal)
            throws IOException {
        var flags = new ArrayList<>(LaunchFlags.jvmFlags());
        flags.addAll(WORKER_HEAP);
        var jvm = new ChildJvm(flags, LaunchFlags.environment(), Main.class.getName());
        WorkerFleet fleet = lifetime.own(
                "workers",
                new WorkerFleet(
                        jvm,
                        id -> WorkerCommand.childArguments(new WorkerId(id), session, state.jobs()),
                        new WorkerFleet.Options(state.logs(), WORKER_GRACE, true)));
        for (int i = 0; i < options.poolSize; i++) {
            fleet.start("worker-" + i);
        }
        terminal.line("workers   " + options.poolSize + " processes, logs in " + state.logs());
        return fleet;
    }
}
