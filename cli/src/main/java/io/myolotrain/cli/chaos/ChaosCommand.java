package io.myolotrain.cli.chaos;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.component.Lifetime;
import io.myolotrain.cli.option.Endpoints;
import io.myolotrain.cli.option.PoolOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "chaos",
        description =
                "Kills, freezes and removes workers of the running demo, and drops or delays packets of its broker, on a seed "
                        + "and a schedule. Each fault is an event, so 'log tail' and the web UI show faults and recoveries side by "
                        + "side. Touches only what the demo has started, unless told.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain chaos                                        kill 30 %% of the workers every 15 s for 2 minutes",
            "  myolotrain chaos --faults kill,hang --every 10 --for 300 --seed 7",
            "  myolotrain chaos --faults remove --share 0.4            take 40 %% of the capacity away",
            "  myolotrain chaos --faults loss --loss 0.5               drop half of the packets of the broker (root)",
            "  myolotrain chaos --faults delay --delay-ms 500          each way half a second to and from the broker (root)",
            "  myolotrain chaos --dry-run                              show the schedule, break nothing"
        })
public final class ChaosCommand implements Callable<Integer> {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
    private static final int SECONDS_MAX = 86_400;
    /** More, and chaos could not write its own events while packets are late: one takes about five round trips. */
    private static final int DELAY_MS_MAX = 1_000;

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Option(
            names = "--faults",
            paramLabel = "KIND",
            split = ",",
            defaultValue = "kill",
            description = "Which: kill, hang, remove, loss, delay (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private List<String> faults;

    @Option(
            names = "--share",
            paramLabel = "SHARE",
            defaultValue = "0.3",
            description = "Share of the workers that a fault hits, in (0, 1] (default: ${DEFAULT-VALUE}).")
    private double share;

    @Option(
            names = "--loss",
            paramLabel = "SHARE",
            defaultValue = "0.3",
            description =
                    "Share of the broker's packets that a loss drops, each way, in (0, 1] (default: ${DEFAULT-VALUE}).")
    private double loss;

    @Option(
            names = "--delay-ms",
            paramLabel = "MILLISECONDS",
            defaultValue = "200",
            description =
                    "How late a delay makes everything to and from the broker, each way, so that a round trip takes twice "
                            + "as long, in [1, 1000]. Connections are cut when it begins and ends "
                            + "(default: ${DEFAULT-VALUE}).")
    private int delayMillis;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            defaultValue = "15",
            description = "Mean time between faults (default: ${DEFAULT-VALUE}).")
    private int everySeconds;

    @Option(
            names = "--lasting",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long a hang, a loss or a delay lasts (default: ${DEFAULT-VALUE}).")
    private int lastingSeconds;

    @Option(
            names = "--for",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "No fault begins later (default: ${DEFAULT-VALUE}).")
    private int totalSeconds;

    @Option(names = "--seed", paramLabel = "N", description = "Draws the faults (default: a new one, printed).")
    private @Nullable Long seed;

    @Option(
            names = "--also",
            paramLabel = "WORKER=PID",
            description = "A worker process that the demo did not start. May be given several times.")
    private final Map<String, Long> also = new TreeMap<>();

    @Option(names = "--dry-run", description = "Print the schedule and break nothing.")
    private boolean dryRun;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        FaultSchedule.Settings settings = settings();
        Endpoints demo = Endpoints.read(pool.state().directory())
                .orElseThrow(() -> CommandFailure.unreachable(
                        "no running demo found: " + Endpoints.file(pool.state().directory()) + " names none",
                        "Start one with 'myolotrain demo', or say with --state where the running one keeps its data.",
                        null));
        DemoProcesses processes = DemoProcesses.of(demo.pid(), also);
        List<String> workers = new ArrayList<>(processes.workers().keySet());
        var schedule = new FaultSchedule(settings, workers);
        PrintWriter out = spec.commandLine().getOut();
        out.println("seed " + settings.seed() + ", workers " + String.join(", ", workers));
        if (dryRun) {
            schedule.forEachRemaining(fault -> out.println(FaultRun.text(fault)));
            out.flush();
            return 0;
        }
        for (Fault.Kind kind : Set.copyOf(settings.kinds())) {
            BrokerNetwork.requirePossible(kind);
        }
        try (Lifetime lifetime = Lifetime.ofProcess(STOP_TIMEOUT);
                Session session = pool.open()) {
            var network = new BrokerNetwork(brokerPort(demo), loss, Duration.ofMillis(delayMillis));
            var injector = new FaultInjector(processes, network);
            new FaultRun(schedule, injector, session, lifetime, out).run("chaos with seed " + settings.seed());
        }
        return 0;
    }

    private static int brokerPort(Endpoints demo) {
        return Integer.parseInt(demo.bootstrap().substring(demo.bootstrap().lastIndexOf(':') + 1));
    }

    private FaultSchedule.Settings settings() {
        share("--share", share);
        share("--loss", loss);
        if (delayMillis < 1 || delayMillis > DELAY_MS_MAX) {
            throw CommandFailure.usage(
                    "--delay-ms must be in [1, " + DELAY_MS_MAX + "] milliseconds: " + delayMillis,
                    "For example --delay-ms 200");
        }
        seconds("--every", everySeconds);
        seconds("--lasting", lastingSeconds);
        seconds("--for", totalSeconds);
        return new FaultSchedule.Settings(
                seed == null ? new Random().nextLong() : seed,
                faults.stream().map(ChaosCommand::kind).toList(),
                share,
                Duration.ofSeconds(everySeconds),
                Duration.ofSeconds(lastingSeconds),
                Duration.ofSeconds(totalSeconds));
    }

    private static void share(String option, double value) {
        if (!(value > 0 && value <= 1)) {
            throw CommandFailure.usage(option + " must be in (0, 1]: " + value, "For example " + option + " 0.3");
        }
    }

    private static void seconds(String option, int value) {
        if (value < 1 || value > SECONDS_MAX) {
            throw CommandFailure.usage(
                    option + " must be in [1, " + SECONDS_MAX + "] seconds: " + value, "For example " + option + " 10");
        }
    }

    private static Fault.Kind kind(String name) {
        return Arrays.stream(Fault.Kind.values())
                .filter(kind -> kind.name().equalsIgnoreCase(name.strip()))
                .findFirst()
                .orElseThrow(() -> CommandFailure.usage(
                        "no such fault: --faults " + name,
                        "There are kill, hang, remove, loss and delay, for example --faults kill,hang"));
    }
}
