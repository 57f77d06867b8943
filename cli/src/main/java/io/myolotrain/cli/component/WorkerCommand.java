package io.myolotrain.cli.component;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.ExitCodes;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.fleet.ParentLink;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.cli.output.Logging;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.topics.Connection;
import io.myolotrain.worker.engine.LaunchFlags;
import io.myolotrain.worker.runtime.WorkerApp;
import io.myolotrain.worker.runtime.WorkerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "worker",
        description = "Runs one worker: it joins the pool, stands by, and trains when a plan names it.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain worker --id worker-5                     one more for a running demo",
            "  myolotrain worker --id gpu-7 --address 10.0.0.7 --gloo --checkpoints /shared/jobs \\",
            "                    --bootstrap kafka:9092 --registry http://registry:8081"
        })
public final class WorkerCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerCommand.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(9);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "Name of the worker across its restarts (default: worker-PID).")
    private @Nullable String id;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address that peers reach this worker under (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String address;

    @Option(
            names = "--host-id",
            paramLabel = "NAME",
            description = "Identity of the machine; workers that say the same share memory (default: its host name).")
    private @Nullable String host;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Health and metrics, 0 = any free port (default: ${DEFAULT-VALUE}).")
    private int httpPort;

    @Option(
            names = "--checkpoints",
            paramLabel = "DIR",
            description =
                    "Directory of checkpoints, shared by all workers of the pool (default: jobs in the state directory).")
    private @Nullable Path checkpoints;

    @Option(
            names = "--keep",
            paramLabel = "N",
            defaultValue = "3",
            description = "Checkpoints kept per job (default: ${DEFAULT-VALUE}).")
    private int keep;

    @Option(names = "--gloo", description = "Offer a Gloo store, for jobs that span hosts.")
    private boolean gloo;

    @Option(names = "--die-with-parent", hidden = true, description = "Stop when standard input ends.")
    private boolean dieWithParent;

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    /** Command line of a worker as a child of this process. */
    public static List<String> childArguments(WorkerId id, Session session, Path checkpoints) {
        return childArguments(id, session.connection(), session.pool(), checkpoints);
    }

    /** @param connection as the worker is to reach the log */
    public static List<String> childArguments(WorkerId id, Connection connection, PoolId pool, Path checkpoints) {
        return List.of(
                "worker",
                "--id",
                id.value(),
                "--checkpoints",
                checkpoints.toString(),
                "--bootstrap",
                connection.bootstrap(),
                "--registry",
                connection.registryUrl(),
                "--pool",
                pool.value(),
                "--die-with-parent");
    }

    @Override
    public Integer call() throws Exception {
        Logging.verboseOnStderr();
        if (dieWithParent) {
            ParentLink.exitWithParent(System.in);
        }
        warnOfMissingFlags();
        try (Lifetime lifetime = Lifetime.ofProcess(STOP_TIMEOUT);
                Session session = pool.open()) {
            WorkerApp worker = lifetime.own("worker", WorkerApp.start(session.connection(), options(session)));
            while (!lifetime.endedWithin(LOOK_EVERY)) {
                if (!worker.isAlive()) {
                    LOG.atError().log("the training thread ended; the process ends so that it can be started anew");
                    return ExitCodes.ERROR;
                }
            }
        }
        return ExitCodes.OK;
    }

    private WorkerOptions options(Session session) {
        try {
            return new WorkerOptions(
                    session.pool(),
                    new WorkerId(
                            id != null
                                    ? id
                                    : "worker-" + ProcessHandle.current().pid()),
                    address,
                    Optional.ofNullable(host),
                    httpPort,
                    Objects.requireNonNullElse(checkpoints, pool.state().jobs()).toAbsolutePath(),
                    keep,
                    gloo,
                    WorkerOptions.HEARTBEAT_INTERVAL);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "For example --id worker-5");
        }
    }

    /** Two spinning thread pools in one process make a step ten times slower, without any other sign. */
    private static void warnOfMissingFlags() {
        var missing = new ArrayList<String>();
        LaunchFlags.environment().forEach((name, value) -> {
            if (!value.equals(System.getenv(name))) {
                missing.add(name + "=" + value);
            }
        });
        if (!missing.isEmpty()) {
            LOG.atWarn().addKeyValue("missing", missing).log("a worker should be started with this environment");
        }
    }
}
