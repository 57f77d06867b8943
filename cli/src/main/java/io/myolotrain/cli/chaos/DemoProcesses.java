package io.myolotrain.cli.chaos;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The worker processes that a demo has started, and no others: children of the demo's process whose command line says that
 * they are Myolotrain workers. Found anew for each fault, as dead workers are started again.
 */
final class DemoProcesses {
    private final ProcessHandle demo;
    private final Map<String, Long> told;

    private DemoProcesses(ProcessHandle demo, Map<String, Long> told) {
        this.demo = demo;
        this.told = told;
    }

    /**
     * @param pid of the demo, as its endpoints file says
     * @param told further processes by worker id, which somebody named with intent
     */
    static DemoProcesses of(long pid, Map<String, Long> told) {
        ProcessHandle demo = ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> runs(process, "demo"))
                .orElseThrow(() -> CommandFailure.error(
                        "chaos touches only what a demo has started, and process " + pid + " is no running demo",
                        "Start 'myolotrain demo', or name processes yourself with --also WORKER=PID."));
        return new DemoProcesses(demo, Map.copyOf(told));
    }

    /** Process ids by worker id. */
    SortedMap<String, Long> workers() {
        var workers = new TreeMap<String, Long>();
        demo.children().filter(process -> runs(process, "worker")).forEach(process -> idOf(process)
                .ifPresent(id -> workers.put(id, process.pid())));
        told.forEach((id, pid) -> {
            if (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()) {
                workers.put(id, pid);
            }
        });
        return Collections.unmodifiableSortedMap(workers);
    }

    private static boolean runs(ProcessHandle process, String command) {
        List<String> arguments = arguments(process);
        int main = arguments.indexOf(Main.class.getName());
        return main >= 0 && arguments.subList(main + 1, arguments.size()).contains(command);
    }

    private static Optional<String> idOf(ProcessHandle process) {
        List<String> arguments = arguments(process);
        int at = arguments.indexOf("--id");
        return at < 0 || at + 1 == arguments.size() ? Optional.empty() : Optional.of(arguments.get(at + 1));
    }

    /** From the kernel: Java's own view ends after 4 KiB, and a class path is longer. Empty when the process is gone. */
    private static List<String> arguments(ProcessHandle process) {
        try {
            String line = Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "cmdline"), StandardCharsets.ISO_8859_1);
            return List.of(line.split("\0", -1));
        } catch (IOException gone) {
            return List.of();
        }
    }
}
