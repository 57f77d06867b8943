package io.myolotrain.cli.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Worker processes as children of this process. A worker that dies is started again, ever more slowly; closing
 * asks all to stop first and kills what is left after the grace time.
 */
public final class WorkerFleet implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerFleet.class);
    private static final long LOG_BYTES_MAX = 16L << 20; // older output is kept once, beside the new
    /** A worker that keeps dying is started again ever more slowly; one that has lived for a while is trusted again. */
    private static final long RESTART_DELAY_MAX_SECONDS = 30;

    private static final Duration STABLE = Duration.ofMinutes(1);

    private final ChildJvm jvm;
    private final Function<String, List<String>> arguments;
    private final Options options;
    private final TreeMap<String, Process> processes = new TreeMap<>(); // guarded by this
    private final TreeMap<String, Integer> earlyDeaths = new TreeMap<>(); // guarded by this
    private final ScheduledExecutorService restarts = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "worker-restarts");
        thread.setDaemon(true);
        return thread;
    });
    private boolean closing; // guarded by this

    /** @param grace time between SIGTERM and SIGKILL */
    public record Options(Path logDirectory, Duration grace, boolean restart) {}

    /** @param arguments of a worker's command line, by worker id */
    public WorkerFleet(ChildJvm jvm, Function<String, List<String>> arguments, Options options) {
        this.jvm = jvm;
        this.arguments = arguments;
        this.options = options;
    }

    public synchronized void start(String workerId) throws IOException {
        if (closing) {
            throw new IllegalStateException("a fleet that closes starts no worker: worker=" + workerId);
        }
        Files.createDirectories(options.logDirectory);
        Path log = options.logDirectory.resolve(workerId + ".log");
        keepBounded(log);
        Process process = jvm.process(arguments.apply(workerId))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        processes.put(workerId, process);
        LOG.atInfo()
                .addKeyValue("worker", workerId)
                .addKeyValue("pid", process.pid())
                .addKeyValue("log", log)
                .log("worker process started");
        var unused = process.onExit().thenAccept(ended -> ended(workerId, ended));
    }

    private static void keepBounded(Path log) throws IOException {
        if (Files.exists(log) && Files.size(log) > LOG_BYTES_MAX) {
            Files.move(log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private synchronized void ended(String workerId, Process process) {
        if (closing || processes.get(workerId) != process) {
            return;
        }
        processes.remove(workerId);
        boolean stable = process.info()
                .startInstant()
                .filter(started -> started.isBefore(Instant.now().minus(STABLE)))
                .isPresent();
        int deaths = stable ? 0 : earlyDeaths.getOrDefault(workerId, 0);
        earlyDeaths.put(workerId, deaths + 1);
        long delaySeconds = deaths == 0 ? 0 : Math.min(RESTART_DELAY_MAX_SECONDS, 1L << Math.min(deaths - 1, 10));
        LOG.atWarn()
                .addKeyValue("worker", workerId)
                .addKeyValue("exitCode", process.exitValue())
                .addKeyValue("restart", options.restart ? "in " + delaySeconds + " s" : "no")
                .log("worker process ended");
        if (options.restart) {
            var unused = restarts.schedule(() -> startAgain(workerId), delaySeconds, TimeUnit.SECONDS);
        }
    }

    private synchronized void startAgain(String workerId) {
        if (closing || processes.containsKey(workerId)) {
            return;
        }
        try {
            start(workerId);
        } catch (IOException e) {
            LOG.atError().addKeyValue("worker", workerId).setCause(e).log("worker process could not be started");
        }
    }

    /**
     * As {@code kill -9} of all at once; returns when they are gone. Whether they are started again is the options' business.
     */
    public void kill(Collection<String> workerIds) throws InterruptedException {
        List<Process> victims;
        synchronized (this) {
            victims = workerIds.stream().map(this::running).toList();
        }
        victims.forEach(Process::destroyForcibly);
        for (Process victim : victims) {
            victim.waitFor();
        }
    }

    /** The process stands still, with all that it holds, until {@link #thaw}. */
    public synchronized void freeze(String workerId) throws IOException {
        ProcessSignal.STOP.send(running(workerId).pid());
    }

    public synchronized void thaw(String workerId) throws IOException {
        ProcessSignal.CONT.send(running(workerId).pid());
    }

    private Process running(String workerId) {
        Process process = processes.get(workerId);
        if (process == null) {
            throw new IllegalArgumentException(
                    "the worker must be running: worker=" + workerId + " running=" + processes.keySet());
        }
        return process;
    }

    /** Ids of the workers whose processes run now. */
    public synchronized Set<String> running() {
        return processes.entrySet().stream()
                .filter(entry -> entry.getValue().isAlive())
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    public synchronized List<ProcessHandle> handles() {
        return processes.values().stream().map(Process::toHandle).toList();
    }

    /** Stops every worker: SIGTERM to all at once, SIGKILL to those that are left after the grace time. */
    @Override
    public void close() {
        List<Process> all;
        synchronized (this) {
            closing = true;
            all = List.copyOf(processes.values());
        }
        restarts.shutdownNow();
        all.forEach(WorkerFleet::wake);
        all.forEach(process -> process.toHandle().destroy());
        long deadline = System.nanoTime() + options.grace.toNanos();
        for (Process process : all) {
            if (!awaitExit(process, deadline - System.nanoTime())) {
                LOG.atWarn().addKeyValue("pid", process.pid()).log("worker process killed: it did not stop in time");
                process.destroyForcibly();
            }
        }
        for (Process process : all) {
            awaitExit(process, TimeUnit.SECONDS.toNanos(2));
        }
    }

    /** A frozen process cannot hear that it is to stop. */
    private static void wake(Process process) {
        if (process.isAlive()) {
            try {
                ProcessSignal.CONT.send(process.pid());
            } catch (IOException e) {
                LOG.atDebug().addKeyValue("pid", process.pid()).setCause(e).log("process ended meanwhile");
            }
        }
    }

    private static boolean awaitExit(Process process, long nanos) {
        try {
            return process.waitFor(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
