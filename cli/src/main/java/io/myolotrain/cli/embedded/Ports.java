package io.myolotrain.cli.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Picks loopback ports. Between the pick and the bind another process may take the port: whoever binds retries. */
public final class Ports {
    private Ports() {}

    public static int free() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free loopback port", e);
        }
    }

    /** {@code wanted} if nobody listens there, else a free one: a stable address when possible, a start in any case. */
    public static int preferring(int wanted) {
        try (ServerSocket socket = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException taken) {
            return free();
        }
    }
}
