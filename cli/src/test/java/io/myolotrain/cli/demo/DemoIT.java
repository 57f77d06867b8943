package io.myolotrain.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.myolotrain.cli.Main;
import io.myolotrain.cli.TestCommands;
import io.myolotrain.cli.TestJvm;
import io.myolotrain.cli.chaos.PacketDelay;
import io.myolotrain.cli.embedded.Ports;
import io.myolotrain.worker.engine.LaunchFlags;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer does: start the demo, change it from a second terminal, press Ctrl-C, start it again. */
@Timeout(600)
class DemoIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    /** The promise is ten seconds; a test machine may be busy, and a stop that needs its watchdog exits with 1. */
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);

    private static final int SIGINT = 2;

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private Process demo;
    private int pagePort;

    @AfterEach
    void killWhatIsLeft() {
        if (demo != null) {
            demo.descendants().forEach(ProcessHandle::destroyForcibly);
            demo.destroyForcibly();
        }
    }

    /** @param flags as the launcher has them for this command */
    private ProcessBuilder myolotrain(List<String> flags, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LaunchFlags.jvmFlags());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(LaunchFlags.environment());
        builder.environment().put("MYOLOTRAIN_STATE", directory.resolve("state").toString());
        return builder;
    }

    private void startDemo(Path corpus, String log) throws IOException {
        pagePort = Ports.free();
        demo = myolotrain(
                        List.of("-Xmx768m", "-XX:+UseSerialGC"),
                        List.of(
                                "demo",
                                "--data",
                                corpus.toString(),
                                "--workers",
                                "1",
                                "--pool-size",
                                "2",
                                "--kafka-port",
                                Integer.toString(Ports.free()),
                                "--registry-port",
                                Integer.toString(Ports.free()),
                                "--port",
                                Integer.toString(pagePort)))
                .redirectOutput(directory.resolve(log).toFile())
                .start();
    }

    /** In a process of its own, as from a second terminal. */
    private String runAlone(int exitCode, String... arguments) throws Exception {
        Process process = myolotrain(TestJvm.flags("256m"), List.of(arguments)).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isEqualTo(exitCode);
        return output;
    }

    private String run(int exitCode, String... arguments) {
        return TestCommands.run(
                exitCode,
                TestCommands.with(
                        arguments, "--state", directory.resolve("state").toString()));
    }

    /** The one line of it: warnings of a busy machine may stand before it. */
    private static JsonNode json(String output) throws IOException {
        return new ObjectMapper()
                .readTree(output.lines()
                        .filter(line -> line.startsWith("{"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no JSON in: " + output)));
    }

    private JsonNode job() throws Exception {
        return json(run(0, "job", "show", "demo", "--json"));
    }

    private void awaitStep(long step) {
        await("step " + step).atMost(PATIENCE).until(() -> {
            assertThat(demo.isAlive()).as("the demo runs").isTrue();
            return committed() >= step;
        });
    }

    /** As the page tells it: a command for each look would take longer than the steps. -1 while there is no page or job. */
    private long committed() throws Exception {
        var ask = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + pagePort + "/api/jobs/demo"))
                .build();
        try {
            String answer = http.send(ask, HttpResponse.BodyHandlers.ofString()).body();
            return new ObjectMapper().readTree(answer).at("/progress/step").asLong(-1);
        } catch (ConnectException notUpYet) {
            return -1;
        }
    }

    /** Or be told, where the machine does not let it. */
    private void delayPackets() throws Exception {
        String[] command = {"chaos", "--faults", "delay", "--every", "2", "--lasting", "1", "--for", "3"};
        Optional<String> obstacle = PacketDelay.obstacle();
        if (obstacle.isPresent()) {
            assertThat(run(1, command)).contains("packets cannot be delayed here", obstacle.get(), "iptables");
            return;
        }
        long before = committed();
        assertThat(run(0, command)).contains("delay packets broker for 1 s", "end of delay packets broker");
        awaitStep(before + 2);
        await("both events, over connections that were cut meanwhile")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(run(0, "log", "tail", "-n", "200"))
                        .contains("fault injected: delay packets", "fault injected: end of delay packets"));
    }

    private void pressCtrlC() throws Exception {
        List<ProcessHandle> workers = demo.descendants().collect(Collectors.toList());
        assertThat(workers).isNotEmpty();
        String wanted = ignoresInterrupts() ? "-TERM" : "-INT";
        Process signal = new ProcessBuilder("kill", wanted, Long.toString(demo.pid())).start();
        assertThat(signal.waitFor()).isZero();
        boolean stopped = demo.waitFor(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(stopped)
                .as(() -> "stops by itself; what it was doing:\n" + evidence())
                .isTrue();
        assertThat(workers).as("nothing is left behind").noneMatch(ProcessHandle::isAlive);
        try (Stream<Path> shared = Files.list(Path.of("/dev/shm"))) {
            assertThat(shared.map(Path::getFileName).map(Path::toString))
                    .noneMatch(name -> workers.stream().anyMatch(worker -> name.contains("-" + worker.pid() + "-")));
        }
    }

    /** A shell that starts a job in its background has it ignore Ctrl-C, and everything that the job starts. */
    private boolean ignoresInterrupts() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + demo.pid() + "/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> Long.parseUnsignedLong(
                        line.substring("SigIgn:".length()).strip(), 16))
                .anyMatch(ignored -> (ignored & 1L << SIGINT - 1) != 0);
    }

    /** Log and threads of a demo that does not stop. */
    private String evidence() {
        try {
            String log = Files.readString(directory.resolve("state/logs/demo.log"));
            Process threads = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jstack")
                                    .toString(),
                            Long.toString(demo.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("threads.txt").toFile())
                    .start();
            threads.waitFor(30, TimeUnit.SECONDS); // of a process that is beyond answering there is only the log
            threads.destroyForcibly();
            return log.substring(Math.max(0, log.length() - 8_000))
                    + Files.readString(directory.resolve("threads.txt"));
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e.toString();
        }
    }

    @Test
    void startChangeStopAndStartAgain() throws Exception {
        Path corpus = Files.createDirectories(directory.resolve("corpus"));
        var random = new Random(3);
        Files.writeString(
                corpus.resolve("words.txt"),
                random.ints(40_000, 0, 26)
                        .mapToObj(i -> "abcdefghijklmnopqrstuvwxyz".substring(i))
                        .collect(Collectors.joining(" ")));
        startDemo(corpus, "first.log");
        awaitStep(3);
        String applied = runAlone(0, "config", "set", "demo", "workers=2");
        assertThat(applied).contains("applied");
        assertThat(job().get("workers").asInt()).isEqualTo(2);
        assertThat(run(0, "log", "tail")).as("the last decisions").contains("demo");
        assertThat(run(3, "config", "set", "demo", "workers=0")).contains("workers");
        assertThat(run(0, "doctor", "job", "demo")).contains("nothing holds it up");
        assertThat(run(0, "chaos", "--dry-run", "--seed", "3")).contains("seed 3, workers worker-0, worker-1");
        assertThat(run(0, "chaos", "--seed", "3", "--share", "0.5", "--every", "1", "--for", "2"))
                .contains("kill -9");
        assertThat(run(0, "log", "tail", "-n", "200")).contains("fault injected: kill -9");
        delayPackets();
        long beforeStop = committed();
        awaitStep(beforeStop + 2);
        pressCtrlC();
        assertThat(Files.readString(directory.resolve("first.log"))).contains("the next demo goes on from here");

        startDemo(corpus, "second.log");
        awaitStep(beforeStop + 2);
        await("what was saved at the stop is known")
                .atMost(PATIENCE)
                .until(() -> job().get("checkpoints").size() > 0);
        assertThat(run(0, "audit", "replay")).contains("same");
        pressCtrlC();
    }
}
