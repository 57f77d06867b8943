package io.myolotrain.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class WorkerFleetIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path logs;

    private WorkerFleet fleet(Duration grace, boolean restart, String... more) {
        var jvm = new ChildJvm(List.of("-Xmx32m"), Map.of(), SleepingChild.class.getName());
        return new WorkerFleet(
                jvm,
                id -> more.length == 0 ? List.of(id) : List.of(id, more[0]),
                new WorkerFleet.Options(logs, grace, restart));
    }

    private void awaitReady(String worker, int times) {
        await().atMost(PATIENCE)
                .until(() -> Files.exists(logs.resolve(worker + ".log"))
                        && Files.readAllLines(logs.resolve(worker + ".log")).stream()
                                        .filter(line -> line.equals("ready " + worker))
                                        .count()
                                >= times);
    }

    @Test
    void closingStopsEveryWorker() throws Exception {
        List<ProcessHandle> handles;
        try (var fleet = fleet(Duration.ofSeconds(20), true)) {
            fleet.start("worker-0");
            fleet.start("worker-1");
            awaitReady("worker-0", 1);
            awaitReady("worker-1", 1);
            handles = fleet.handles();
            assertThat(fleet.running()).hasSize(2);
        }
        assertThat(handles).hasSize(2).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void aWorkerThatIgnoresTheRequestIsKilledAfterTheGraceTime() throws Exception {
        List<ProcessHandle> handles;
        try (var fleet = fleet(Duration.ofMillis(200), true, "stubborn")) {
            fleet.start("worker-0");
            awaitReady("worker-0", 1);
            handles = fleet.handles();
        }
        assertThat(handles).hasSize(1).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void aWorkerThatDiesIsStartedAgain() throws Exception {
        try (var fleet = fleet(Duration.ofSeconds(20), true)) {
            fleet.start("worker-0");
            awaitReady("worker-0", 1);
            fleet.handles().get(0).destroyForcibly();
            awaitReady("worker-0", 2);
            assertThat(fleet.running()).hasSize(1);
        }
    }

    @Test
    void workersEndWithAKilledParent() throws Exception {
        Process parent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FleetParent.class.getName(),
                        logs.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var output = new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            long pid = output.lines()
                    .filter(line -> line.startsWith("child "))
                    .mapToLong(line -> Long.parseLong(line.substring("child ".length())))
                    .findFirst()
                    .orElseThrow();
            ProcessHandle child = ProcessHandle.of(pid).orElseThrow();
            awaitReady("worker-0", 1);
            parent.destroyForcibly().waitFor();
            await().atMost(PATIENCE).until(() -> !child.isAlive());
        } finally {
            parent.destroyForcibly();
        }
    }
}
