package io.myolotrain.cli.chaos;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.component.Lifetime;
import io.myolotrain.cli.fleet.ProcessSignal;
import io.myolotrain.cli.option.Endpoints;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.core.coordination.Event;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.PriorityBlockingQueue;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "chaos",
        description =
                "Kills, freezes and removes workers of the running demo on a seed and a schedule. Each fault is an event, "
                        + "so 'log tail' and the web UI show faults and recoveries side by side. Touches only worker processes that "
                        + "the demo has started, unless told.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain chaos                                        kill 30 % of the workers every 15 s for 2 minutes",
            "  myolotrain chaos --faults kill,hang --every 10 --for 300 --seed 7",
            "  myolotrain chaos --faults remove --share 0.4            take 40 % of the capacity away",
            "  myolotrain chaos --dry-run                              show the schedule, break nothing"
        })
public final class ChaosCommand implements Callable<Integer> {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
    private static final int SECONDS_MAX = 86_400;

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Option(
            names = "--faults",
            paramLabel = "KIND",
            split = ",",
            defaultValue = "kill",
            description = "Which: kill, hang, remove (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private List<String> faults;

    @Option(
            names = "--share",
            paramLabel = "SHARE",
            defaultValue = "0.3",
            description = "Share of the workers that a fault hits, in (0, 1] (default: ${DEFAULT-VALUE}).")
    private double share;

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
            description = "How long a hang lasts (default: ${DEFAULT-VALUE}).")
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

    /** What ends a hang, when it is due. */
    private record Wake(Duration at, String worker, long pid) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        FaultSchedule.Settings settings = settings();
        Endpoints demo = Endpoints.read(pool.state().directory())
                .orElseThrow(() -> CommandFailure.unreachable(
                        "no running demo found: " + Endpoints.file(pool.state().directory()) + " names none",
                        "Start one with 'myolotrain demo'.",
                        null));
        DemoProcesses processes = DemoProcesses.of(demo.pid(), also);
        List<String> workers = new ArrayList<>(processes.workers().keySet());
        var schedule = new FaultSchedule(settings, workers);
        PrintWriter out = spec.commandLine().getOut();
        out.println("seed " + settings.seed() + ", workers " + String.join(", ", workers));
        if (dryRun) {
            schedule.forEachRemaining(fault -> out.println(text(fault)));
            out.flush();
            return 0;
        }
        try (Lifetime lifetime = Lifetime.ofProcess(STOP_TIMEOUT);
                Session session = pool.open()) {
            run(schedule, settings, processes, session, lifetime, out);
        }
        return 0;
    }

    private FaultSchedule.Settings settings() {
        if (!(share > 0 && share <= 1)) {
            throw CommandFailure.usage("--share must be in (0, 1]: " + share, "For example --share 0.3");
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
                        "There are kill, hang and remove, for example --faults kill,hang"));
    }

    private static void run(
            FaultSchedule schedule,
            FaultSchedule.Settings settings,
            DemoProcesses processes,
            Session session,
            Lifetime lifetime,
            PrintWriter out)
            throws IOException, InterruptedException {
        long started = System.nanoTime();
        var wakes = new PriorityBlockingQueue<Wake>(16, Comparator.comparing(Wake::at));
        Runnable wakeAll = () -> wakes.forEach(wake -> wakeUp(wake, out));
        lifetime.own("frozen workers", wakeAll::run); // Ctrl-C leaves nothing frozen behind
        Fault next = schedule.hasNext() ? schedule.next() : null;
        while (next != null || !wakes.isEmpty()) {
            Wake wake = wakes.peek();
            boolean wakeFirst = wake != null && (next == null || wake.at().compareTo(next.after()) <= 0);
            Duration due = wakeFirst ? wake.at() : Objects.requireNonNull(next).after();
            Duration left = due.minusNanos(System.nanoTime() - started);
            if (!left.isNegative() && lifetime.endedWithin(left)) {
                return;
            }
            if (wakeFirst) {
                wakes.remove();
                wakeUp(wake, out);
                tell(session, "resume", List.of(wake.worker()), "seed " + settings.seed());
            } else {
                inject(Objects.requireNonNull(next), settings, processes, session, wakes, out);
                next = schedule.hasNext() ? schedule.next() : null;
            }
        }
    }

    private static void inject(
            Fault fault,
            FaultSchedule.Settings settings,
            DemoProcesses processes,
            Session session,
            Queue<Wake> wakes,
            PrintWriter out)
            throws IOException {
        SortedMap<String, Long> alive = new TreeMap<>(processes.workers());
        alive.keySet().retainAll(fault.targets());
        if (alive.isEmpty()) {
            out.println(text(fault) + ": none of them runs now");
            out.flush();
            return;
        }
        tell(session, fault.kind().verb(), List.copyOf(alive.keySet()), detail(fault, settings));
        for (Map.Entry<String, Long> worker : alive.entrySet()) {
            signal(fault.kind()).send(worker.getValue());
            if (fault.kind() == Fault.Kind.HANG) {
                wakes.add(new Wake(fault.after().plus(fault.lasting()), worker.getKey(), worker.getValue()));
            }
        }
        out.println(text(fault));
        out.flush();
    }

    private static ProcessSignal signal(Fault.Kind kind) {
        return switch (kind) {
            case KILL -> ProcessSignal.KILL;
            case HANG -> ProcessSignal.STOP;
            case REMOVE -> ProcessSignal.TERM;
        };
    }

    private static void wakeUp(Wake wake, PrintWriter out) {
        try {
            ProcessSignal.CONT.send(wake.pid());
            out.println("         wake    " + wake.worker());
        } catch (IOException gone) {
            out.println("         " + wake.worker() + " is gone: " + gone.getMessage());
        }
        out.flush();
    }

    /** First the event, then the fault: what follows must stand behind it in the log. */
    private static void tell(Session session, String what, List<String> targets, String detail) {
        session.publish(Session.newEventId(), new Event.FaultInjected(what, targets, detail));
    }

    private static String detail(Fault fault, FaultSchedule.Settings settings) {
        return "chaos with seed " + settings.seed() + ", share " + settings.share()
                + (fault.lasting().isZero() ? "" : ", for " + fault.lasting().toSeconds() + " s");
    }

    private static String text(Fault fault) {
        return String.format(
                Locale.ROOT,
                "%7.1f s %-7s %s%s",
                fault.after().toMillis() / 1e3,
                fault.kind().verb(),
                String.join(", ", fault.targets()),
                fault.lasting().isZero() ? "" : " for " + fault.lasting().toSeconds() + " s");
    }
}
