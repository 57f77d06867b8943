package io.myolotrain.cli.chaos;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the bytes of TCP connections on, each after a delay, in each direction and in order. That a connection opens is not
 * delayed. Memory is bounded by connections and by bytes per direction; what is too much waits at its sender. One thread
 * does all of it; the methods here may be called from any.
 */
public final class DelayingRelay implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(DelayingRelay.class);
    private static final int CONNECTIONS_MAX = 256; // further ones wait in the backlog until one ends
    private static final int READ_BYTES_MAX = 64 << 10;

    private final Route route;
    private final Selector selector;
    private final ServerSocketChannel listener;
    private final SelectionKey accepting;
    private final int port;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(READ_BYTES_MAX);
    private final Set<RelayedConnection> connections = new LinkedHashSet<>(); // of the thread
    private final Thread thread = new Thread(this::run, "delaying-relay");
    private volatile long delayNanos;
    private volatile boolean closed;

    /**
     * @param listen where clients come; port 0 = any free one
     * @param target where they are led to
     * @param source address of this machine that the relay comes from; empty = any
     */
    public record Route(InetSocketAddress listen, InetSocketAddress target, Optional<InetAddress> source) {}

    private DelayingRelay(Route route, Selector selector, ServerSocketChannel listener) throws IOException {
        this.route = route;
        this.selector = selector;
        this.listener = listener;
        listener.configureBlocking(false);
        listener.bind(route.listen());
        port = listener.socket().getLocalPort();
        accepting = listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Returns when clients can connect. Whether the target is there shows when one does. */
    public static DelayingRelay open(Route route, Duration delay) throws IOException {
        Selector selector = Selector.open();
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            var relay = new DelayingRelay(route, selector, listener);
            relay.delay(delay);
            relay.thread.setDaemon(true);
            relay.thread.start();
            return relay;
        } catch (IOException e) {
            listener.close();
            selector.close();
            throw e;
        }
    }

    public int port() {
        return port;
    }

    /** From now on of everything that passes, in each direction; what is held already included. */
    public void delay(Duration delay) {
        delayNanos = delay.toNanos();
        selector.wakeup();
    }

    private void run() {
        try (selector;
                listener) {
            while (!closed) {
                selector.select(this::ready, waitMillis());
                flow();
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.atError().setCause(e).addKeyValue("target", route.target()).log("the relay ended");
        } finally {
            List.copyOf(connections).forEach(this::end);
        }
    }

    /** 0 = until something happens. */
    private long waitMillis() {
        long now = System.nanoTime();
        long due = Long.MAX_VALUE;
        for (RelayedConnection connection : connections) {
            due = Math.min(due, connection.dueInNanos(now, delayNanos));
        }
        return due == Long.MAX_VALUE
                ? 0
                : Math.max(1, Duration.ofNanos(due).plusNanos(999_999).toMillis());
    }

    private void ready(SelectionKey key) {
        if (key.equals(accepting)) {
            accept();
        } else if (key.isValid()) { // its other socket may just have ended the connection
            var connection = (RelayedConnection) key.attachment();
            try {
                connection.ready(key, scratch, System.nanoTime());
            } catch (IOException broken) {
                end(connection, broken);
            }
        }
    }

    private void accept() {
        try {
            SocketChannel client = listener.accept();
            if (client != null) {
                connect(client);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the relay cannot take a connection: " + e.getMessage(), e);
        }
    }

    private void connect(SocketChannel client) throws IOException {
        SocketChannel target = SocketChannel.open();
        try {
            if (route.source().isPresent()) {
                target.bind(new InetSocketAddress(route.source().get(), 0));
            }
            connections.add(new RelayedConnection(client, target, route.target(), selector));
        } catch (IOException broken) {
            LOG.atDebug().setCause(broken).addKeyValue("target", route.target()).log("the target cannot be reached");
            client.close();
            target.close();
        }
    }

    private void flow() {
        long now = System.nanoTime();
        for (RelayedConnection connection : new ArrayList<>(connections)) {
            try {
                connection.flow(now, delayNanos);
                if (connection.isOver()) {
                    end(connection);
                }
            } catch (IOException broken) {
                end(connection, broken);
            }
        }
        accepting.interestOps(connections.size() < CONNECTIONS_MAX ? SelectionKey.OP_ACCEPT : 0);
    }

    private void end(RelayedConnection connection, IOException broken) {
        LOG.atDebug().setCause(broken).addKeyValue("target", route.target()).log("a relayed connection broke");
        end(connection);
    }

    private void end(RelayedConnection connection) {
        connections.remove(connection);
        try {
            connection.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).addKeyValue("target", route.target()).log("a relayed connection closed badly");
        }
    }

    /** Cuts every connection: what was held is lost, both ends hear of it. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
