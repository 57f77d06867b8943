package io.myolotrain.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;

/** One connection to an {@link EchoServer}. */
final class EchoClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Socket socket;

    EchoClient(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) PATIENCE.toMillis());
    }

    Socket socket() {
        return socket;
    }

    /** Time until one byte is back. */
    Duration roundTrip() throws IOException {
        long sent = System.nanoTime();
        socket.getOutputStream().write(7);
        assertThat(socket.getInputStream().read()).isEqualTo(7);
        return Duration.ofNanos(System.nanoTime() - sent);
    }

    /** Whether the other side, or something on the way, has ended the connection; waits for it. */
    boolean hearsItsEnd() throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
