package io.myolotrain.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.cli.embedded.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DelayingRelayTest {
    private static final Duration DELAY = Duration.ofMillis(60);
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private EchoServer server;
    private DelayingRelay relay;

    private static DelayingRelay relayTo(int port, Duration delay) throws IOException {
        return DelayingRelay.open(
                new DelayingRelay.Route(
                        new InetSocketAddress("127.0.0.1", 0),
                        new InetSocketAddress("127.0.0.1", port),
                        Optional.empty()),
                delay);
    }

    @BeforeEach
    void start() throws IOException {
        server = new EchoServer();
        relay = relayTo(server.port(), DELAY);
    }

    @AfterEach
    void stop() throws IOException {
        relay.close();
        server.close();
    }

    @Test
    void aRoundTripTakesTheDelayTwice() throws Exception {
        try (var client = new EchoClient(relay.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.roundTrip()).isGreaterThanOrEqualTo(DELAY.multipliedBy(2));
            }
        }
    }

    /** Far more than the relay holds, both ways at once: everything arrives, in order, and then the end. */
    @Test
    void bytesKeepTheirOrderAndTheEndComesLast() throws Exception {
        relay.delay(Duration.ofMillis(5));
        byte[] bytes = new byte[20 * DelayedStream.HELD_BYTES_MAX];
        new Random(4).nextBytes(bytes);
        try (var client = new EchoClient(relay.port())) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> sendAndEnd(client.socket(), bytes));
            assertThat(client.socket().getInputStream().readAllBytes()).isEqualTo(bytes);
            sent.get(1, TimeUnit.MINUTES);
        }
    }

    private static void sendAndEnd(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aShorterDelayHoldsForWhatIsUnderWayToo() throws Exception {
        relay.delay(FOR_EVER);
        try (var client = new EchoClient(relay.port())) {
            client.socket().getOutputStream().write(7);
            relay.delay(Duration.ZERO);
            assertThat(client.socket().getInputStream().read()).isEqualTo(7);
        }
    }

    @Test
    void aClosedRelayCutsWhatItCarried() throws Exception {
        try (var client = new EchoClient(relay.port())) {
            client.roundTrip();
            relay.close();
            assertThat(client.hearsItsEnd()).isTrue();
        }
    }

    @Test
    void whereNobodyListensTheClientHearsSo() throws Exception {
        try (DelayingRelay nowhere = relayTo(Ports.free(), DELAY);
                var client = new EchoClient(nowhere.port())) {
            assertThat(client.hearsItsEnd()).isTrue();
        }
    }
}
