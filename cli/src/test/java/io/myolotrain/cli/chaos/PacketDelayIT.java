package io.myolotrain.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class PacketDelayIT {
    private static final Duration DELAY = Duration.ofMillis(80);
    private static final String DIRECT = "127.0.0.1";
    private static final String RELAYED = "127.0.0.2";

    private EchoServer server;

    @BeforeAll
    static void requireRights() throws InterruptedException {
        Optional<String> obstacle = PacketDelay.obstacle();
        assumeTrue(obstacle.isEmpty(), () -> "packets cannot be delayed here: " + obstacle.orElse(""));
    }

    @BeforeEach
    void start() throws IOException {
        server = new EchoServer();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
        assertThat(rules()).as("rules left behind").doesNotContain("--dport " + server.port());
    }

    private static String rules() throws Exception {
        return SystemCommand.run("iptables-legacy-save");
    }

    private void assertDelayed(EchoClient client) throws IOException {
        assertThat(client.roundTrip()).isGreaterThanOrEqualTo(DELAY.multipliedBy(2));
        assertThat(server.origins()).last().isEqualTo(RELAYED);
    }

    private void assertDirectAgain() throws IOException {
        try (var client = new EchoClient(server.port())) {
            client.roundTrip();
            assertThat(server.origins()).last().isEqualTo(DIRECT);
        }
    }

    @Test
    void aConnectionIsCutComesBackDelayedAndIsCutAgainAtTheEnd() throws Exception {
        try (var before = new EchoClient(server.port());
                var silent = new EchoClient(server.port())) {
            before.roundTrip();
            silent.roundTrip();
            try (PacketDelay delay = PacketDelay.onLoopback(server.port(), DELAY);
                    var again = new EchoClient(server.port())) {
                assertThat(rules()).contains("--dport " + server.port());
                Assertions.assertThatThrownBy(before::roundTrip).isInstanceOf(SocketException.class);
                assertDelayed(again);
                Assertions.assertThatThrownBy(silent::roundTrip).isInstanceOf(SocketException.class);
                assertDelayed(again);
                delay.close();
                assertThat(again.hearsItsEnd()).isTrue();
            }
        }
        assertDirectAgain();
    }

    @Test
    void delaysThatOverlapDoNotAddUpAndEndOneByOne() throws Exception {
        try (PacketDelay first = PacketDelay.onLoopback(server.port(), DELAY);
                var early = new EchoClient(server.port())) {
            assertDelayed(early);
            try (PacketDelay second = PacketDelay.onLoopback(server.port(), DELAY);
                    var late = new EchoClient(server.port())) {
                assertDelayed(late);
                first.close();
                assertThat(early.hearsItsEnd()).isTrue();
                assertDelayed(late);
                assertThat(server.origins()).as("connections").containsExactly(RELAYED, RELAYED);
            }
        }
        assertDirectAgain();
    }

    @Test
    void aProcessThatIsToldToEndLeavesNothingBehind() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DelayingProcess.class.getName(),
                        Integer.toString(server.port()))
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = process.inputReader()) {
            assertThat(said.readLine()).isEqualTo("delaying");
            try (var client = new EchoClient(server.port())) {
                client.roundTrip();
                assertThat(server.origins()).last().isEqualTo(RELAYED);
                process.destroy();
                assertThat(client.hearsItsEnd()).isTrue();
            }
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertDirectAgain();
    }
}
