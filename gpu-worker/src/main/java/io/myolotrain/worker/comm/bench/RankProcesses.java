package io.myolotrain.worker.comm.bench;

import io.myolotrain.worker.engine.LaunchFlags;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Processes of this class path, one per rank, that talk over their standard streams: a line that begins with
 * {@link #MARK} is a message, any other is log output and kept for error messages. A child ends when its parent does.
 */
public final class RankProcesses implements AutoCloseable {
    static final String MARK = "@";
    private static final int LOG_LINES_MAX = 40;
    private static final int MESSAGES_MAX = 100_000; // a child that sends more loses the rest
    private static final String HEAP = "-Xmx256m";
    private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(10);

    private final List<Child> children = new ArrayList<>();

    /** @param arguments follow rank and world size */
    public static RankProcesses start(int worldSize, Class<?> main, List<String> arguments) throws IOException {
        var processes = new RankProcesses();
        try {
            for (int rank = 0; rank < worldSize; rank++) {
                processes.children.add(new Child(rank, launch(rank, worldSize, main, arguments)));
            }
            return processes;
        } catch (IOException e) {
            processes.close();
            throw e;
        }
    }

    private static Process launch(int rank, int worldSize, Class<?> main, List<String> arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LaunchFlags.jvmFlags());
        String cache = System.getProperty("org.bytedeco.javacpp.cachedir");
        if (cache != null) {
            command.add("-Dorg.bytedeco.javacpp.cachedir=" + cache);
        }
        command.addAll(List.of(HEAP, "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(Integer.toString(rank), Integer.toString(worldSize)));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(LaunchFlags.environment());
        return builder.start();
    }

    /** Hands every child the address list that the children themselves announced. */
    public void introduce(Duration timeout) throws IOException {
        var peers = new ArrayList<String>();
        for (int rank = 0; rank < children.size(); rank++) {
            peers.add(await(rank, RankMain.PORTS, timeout));
        }
        for (int rank = 0; rank < children.size(); rank++) {
            tell(rank, String.join(" ", peers));
        }
    }

    public void tell(int rank, String line) throws IOException {
        BufferedWriter in = children.get(rank).in;
        in.write(line);
        in.newLine();
        in.flush();
    }

    /** The rest of the child's next message of that kind; others before it are skipped. */
    public String await(int rank, String kind, Duration timeout) throws IOException {
        Child child = children.get(rank);
        long untilNanos = System.nanoTime() + timeout.toNanos();
        try {
            for (long left = timeout.toNanos(); left > 0; left = untilNanos - System.nanoTime()) {
                String line = child.messages.poll(Math.min(left, 100_000_000), TimeUnit.NANOSECONDS);
                if (line != null && line.startsWith(kind + " ")) {
                    return line.substring(kind.length() + 1);
                }
                if (line == null && child.messages.isEmpty() && child.ended()) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IOException("rank " + rank + " did not say '" + kind + "' within " + timeout.toMillis() + " ms: "
                + child.describe());
    }

    /** Waits until the child has ended by itself, and well. */
    public void awaitExit(int rank, Duration timeout) throws IOException, InterruptedException {
        Child child = children.get(rank);
        if (!child.process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS) || child.process.exitValue() != 0) {
            throw new IOException("rank " + rank + " must end with 0: " + child.describe());
        }
    }

    public Process process(int rank) {
        return children.get(rank).process;
    }

    /** Kills who still runs. */
    @Override
    public void close() {
        children.forEach(child -> child.process.destroyForcibly());
        for (Child child : children) {
            try {
                if (!child.process.waitFor(EXIT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("a killed process must end: " + child.describe());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static final class Child {
        final Process process;
        final BufferedWriter in;
        final BlockingQueue<String> messages = new LinkedBlockingQueue<>(MESSAGES_MAX);
        private final Deque<String> log = new ArrayDeque<>(); // guarded by itself
        private final Thread reader;

        Child(int rank, Process process) {
            this.process = process;
            this.in = process.outputWriter(StandardCharsets.UTF_8);
            this.reader = new Thread(this::read, "rank-" + rank + "-output");
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                for (@Nullable String line = out.readLine(); line != null; line = out.readLine()) {
                    if (!line.startsWith(MARK) || !messages.offer(line.substring(MARK.length()))) {
                        keep(line);
                    }
                }
            } catch (IOException e) {
                keep("output ended: " + e.getMessage());
            }
        }

        private void keep(String line) {
            synchronized (log) {
                if (log.size() == LOG_LINES_MAX) {
                    log.removeFirst();
                }
                log.addLast(line);
            }
        }

        boolean ended() {
            return !process.isAlive() && !reader.isAlive();
        }

        String describe() {
            synchronized (log) {
                return "pid=" + process.pid() + (process.isAlive() ? " running" : " exit=" + process.exitValue())
                        + " log:\n" + String.join("\n", log);
            }
        }
    }
}
