package io.myolotrain.cli.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.cli.Main;
import io.myolotrain.cli.embedded.Ports;
import io.myolotrain.coordinator.CoordinatorApp;
import io.myolotrain.coordinator.CoordinatorOptions;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.JournalLine;
import io.myolotrain.topics.Topics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerKillIT {
    private static final PoolId POOL = new PoolId("pool");
    private static final int EVENTS = 4_000;
    private static final int KILLED_AT = 1_500;
    private static final int PRODUCER_RESTARTED_AT = 3_000;
    private static final int SENT_AGAIN = 500;

    @TempDir
    Path directory;

    private final int kafkaPort = Ports.free();
    private final int registryPort = Ports.free();

    private Process broker() throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "broker",
                        "--state",
                        directory.resolve("state").toString(),
                        "--kafka-port",
                        Integer.toString(kafkaPort),
                        "--registry-port",
                        Integer.toString(registryPort)))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("broker.log").toFile()))
                .start();
    }

    private void awaitBroker() {
        await().atMost(TestLog.PATIENCE).until(() -> listens(kafkaPort) && listens(registryPort));
    }

    private static boolean listens(int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    @DisplayName("G12 Numbered events have one effect each while the broker is killed and the producer starts again")
    void everyEventCountsOnceThroughAHardKillOfTheBroker() throws Exception {
        Process broker = broker();
        try {
            awaitBroker();
            var connection = Connection.of("127.0.0.1:" + kafkaPort, "http://127.0.0.1:" + registryPort);
            CoordinatorApp coordinator =
                    CoordinatorApp.start(connection, CoordinatorOptions.in(directory.resolve("coordinator")));
            var log = new TestLog(connection);
            try {
                for (int i = 0; i < EVENTS; i++) {
                    if (i == KILLED_AT) {
                        broker.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
                        broker = broker();
                        awaitBroker();
                    }
                    if (i == PRODUCER_RESTARTED_AT) {
                        log.close(); // what is on its way is given time; then the new one does not know how far it came
                        log = new TestLog(connection);
                        for (int again = i - SENT_AGAIN; again < i; again++) {
                            log.sendAsync(POOL, "change-" + again, TestLog.refused(again));
                        }
                    }
                    log.sendAsync(POOL, "change-" + i, TestLog.refused(i));
                }
                log.awaitDecisions(POOL, EVENTS);

                log.assertDecidedOnce(POOL, EVENTS);
                assertThat(log.committed(Topics.JOURNAL, POOL.value()))
                        .extracting(JournalLine::eventId)
                        .doesNotHaveDuplicates()
                        .hasSize(EVENTS);
                assertThat(coordinator.health().counts().getOrDefault("duplicates", 0L))
                        .isGreaterThanOrEqualTo(SENT_AGAIN);
            } finally {
                log.close();
                coordinator.close();
            }
        } finally {
            broker.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
    }
}
