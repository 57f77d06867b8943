package io.myolotrain.cli.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Sends back what it gets, and remembers where connections came from. */
final class EchoServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private final List<String> origins = new CopyOnWriteArrayList<>();

    EchoServer() throws IOException {
        daemon(this::acceptAll);
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "echo");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Addresses, in the order in which connections came. */
    List<String> origins() {
        return List.copyOf(origins);
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                origins.add(client.getInetAddress().getHostAddress());
                daemon(() -> echo(client));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static void echo(Socket client) {
        try (client;
                InputStream in = client.getInputStream();
                OutputStream out = client.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException cut) {
            // clients that are cut are what these tests are about
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
