package io.myolotrain.cli.log;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "tail",
        description = "Prints the last records of a topic.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain log tail                              the last decisions",
            "  myolotrain log tail --topic journal --lines 50",
            "  myolotrain log tail --topic dead-letters --follow",
            "  myolotrain log tail --follow --json | jq '.value.facts[].type'"
        })
final class LogTailCommand implements Callable<Integer> {
    private static final long READ_TIMEOUT_S = 60;
    private static final int LINES_MAX = 1_000_000;

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            defaultValue = "decisions",
            description = "Which topic (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String topic;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            defaultValue = "20",
            description = "How many of the last records (default: ${DEFAULT-VALUE}).")
    private int lines;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with what is written from now on, until Ctrl-C.")
    private boolean follow;

    @Option(names = "--json", description = "Print one JSON object per record.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (lines < 0 || lines > LINES_MAX) {
            throw CommandFailure.usage(
                    "--lines must be in [0, " + LINES_MAX + "]: " + lines, "For example --lines 100");
        }
        Topic<?> chosen = Topics.all().stream()
                .filter(t -> t.name().equals(topic))
                .findFirst()
                .orElseThrow(() -> CommandFailure.usage(
                        "no such topic: --topic " + topic,
                        "There are: " + Topics.all().stream().map(Topic::name).collect(Collectors.joining(", "))));
        try (Session session = pool.open()) {
            tail(session, chosen);
        }
        return 0;
    }

    private <V> void tail(Session session, Topic<V> chosen) throws InterruptedException {
        var printer = new Printer<V>(chosen.name(), spec.commandLine().getOut());
        try (TopicReader<V> reader =
                TopicReader.open(session.connection(), session.codecs(), chosen, ReadFrom.beginning(), printer)) {
            reader.caughtUp().get(READ_TIMEOUT_S, TimeUnit.SECONDS);
            printer.printKept();
            if (follow) {
                printer.stopped.await();
                throw CommandFailure.error(
                        "the reader stopped: " + printer.stopReason, "Run the command with --verbose to see why.");
            }
        } catch (ExecutionException | TimeoutException e) {
            throw CommandFailure.unreachable(
                    "topic " + chosen + " could not be read: " + e.getMessage(),
                    "Check that the broker runs and that its topics exist ('myolotrain demo' creates them).",
                    e);
        }
    }

    /** Keeps the last lines until the reader has caught up, then prints each as it comes. */
    private final class Printer<V> implements TopicListener<V> {
        private final String name;
        private final PrintWriter out;
        private final Deque<String> kept = new ArrayDeque<>(); // guarded by this
        private final CountDownLatch stopped = new CountDownLatch(1);
        private volatile String stopReason = "";
        private boolean live; // guarded by this

        Printer(String name, PrintWriter out) {
            this.name = name;
            this.out = out;
        }

        @Override
        public void onRecord(Received<V> record) {
            line(json ? RecordText.json(name, record) : RecordText.text(name, record));
        }

        @Override
        public void onUndecodable(Undecodable record) {
            if (!json) {
                line("          " + name + "-" + record.partition() + "@" + record.offset() + "  unreadable: "
                        + record.reason());
            }
        }

        @Override
        public void onStopped(Exception cause) {
            stopReason = String.valueOf(cause.getMessage());
            stopped.countDown();
        }

        private synchronized void line(String line) {
            if (live) {
                out.println(line);
                out.flush();
                return;
            }
            kept.addLast(line);
            if (kept.size() > lines) {
                kept.removeFirst();
            }
        }

        private synchronized void printKept() {
            kept.forEach(out::println);
            out.flush();
            kept.clear();
            live = follow;
        }
    }
}
