package io.myolotrain.cli.component;

import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.Ports;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.cli.option.Endpoints;
import io.myolotrain.cli.option.StateOption;
import io.myolotrain.cli.output.Logging;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "broker",
        description = "Runs the embedded Kafka broker and schema registry alone.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain broker                        on any free ports; other commands find it",
            "  myolotrain broker --kafka-port 9092 --registry-port 8081"
        })
public final class BrokerCommand implements Callable<Integer> {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    @Mixin
    private final StateOption state = new StateOption();

    @Option(
            names = "--kafka-port",
            paramLabel = "PORT",
            description = "Port of the broker (default: 9092 or any free one).")
    private int kafkaPort;

    @Option(
            names = "--registry-port",
            paramLabel = "PORT",
            description = "Port of the schema registry (default: 8081 or any free one).")
    private int registryPort;

    @Option(
            names = "--pool",
            paramLabel = "POOL",
            defaultValue = "default",
            description = "Pool that other commands take as theirs (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String pool;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Logging.verboseOnStderr();
        try (Lifetime lifetime = Lifetime.ofProcess(STOP_TIMEOUT)) {
            EmbeddedBroker broker = lifetime.own(
                    "broker",
                    EmbeddedBroker.start(EmbeddedBroker.Options.in(state.kafka())
                            .port(kafkaPort == 0 ? Ports.preferring(9092) : kafkaPort)));
            RegistryServer registry = lifetime.own(
                    "registry",
                    RegistryServer.start(
                            broker.bootstrap(), registryPort == 0 ? Ports.preferring(8081) : registryPort));
            var endpoints = new Endpoints(
                    broker.bootstrap(),
                    registry.url(),
                    "",
                    pool,
                    ProcessHandle.current().pid());
            endpoints.write(state.directory());
            lifetime.own("endpoints", () -> Endpoints.remove(state.directory()));

            PrintWriter out = spec.commandLine().getOut();
            out.println("broker    " + broker.bootstrap());
            out.println("registry  " + registry.url());
            out.println("data      " + state.kafka());
            out.println("Ctrl-C stops both; the data stays.");
            out.flush();
            lifetime.awaitEnd();
        }
        return 0;
    }
}
