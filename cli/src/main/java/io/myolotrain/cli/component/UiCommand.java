package io.myolotrain.cli.component;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.cli.output.Logging;
import io.myolotrain.ui.UiOptions;
import io.myolotrain.ui.UiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "ui",
        description = "Runs the web UI.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain ui --port 8088",
            "  myolotrain ui --host 0.0.0.0 --token-file /run/secrets/ui-token --bootstrap kafka:9092 --registry http://registry:8081"
        })
public final class UiCommand implements Callable<Integer> {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen on (default: ${DEFAULT-VALUE}); beyond loopback only with --token-file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8088",
            description = "Port, 0 = any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token that every API call must carry; a file, because arguments are public.")
    private @Nullable Path tokenFile;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Logging.verboseOnStderr();
        Optional<String> token = token();
        if (!UiOptions.isLoopback(host) && token.isEmpty()) {
            throw CommandFailure.usage(
                    "beyond loopback the web UI listens only with a token: --host=" + host + " --token-file=none",
                    "Write at least 16 random characters to a file and pass it with --token-file, or leave --host out.");
        }
        try (Lifetime lifetime = Lifetime.ofProcess(STOP_TIMEOUT);
                Session session = pool.open()) {
            var options = new UiOptions(
                    host, port, session.pool(), token, Optional.of(pool.state().ui(session.pool())));
            UiServer server = lifetime.own("web UI", UiServer.start(session.connection(), options));
            spec.commandLine().getOut().println("web UI  " + server.address());
            spec.commandLine().getOut().flush();
            lifetime.awaitEnd();
        }
        return 0;
    }

    private Optional<String> token() {
        if (tokenFile == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readString(tokenFile).strip());
        } catch (IOException e) {
            throw CommandFailure.usage("cannot read --token-file " + tokenFile, "Check the path and its rights.");
        }
    }
}
