package io.myolotrain.worker.comm;

import io.myolotrain.core.model.JobSpec.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's door for its peers: one listener, through which any number of groups form one after another or side by side. A
 * new group forms on a thread of its own while the older one is in use.
 */
public final class GroupConnector implements AutoCloseable {
    public static final Duration TIMEOUT_MAX = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(GroupConnector.class);
    private static final int BACKLOG = 128;
    private static final int HANDSHAKES_MAX = 16; // more at once are closed; the peer tries again
    /** How much earlier than this worker a peer may hear of a plan without having to come again. */
    private static final Duration EARLY_MAX = Duration.ofMillis(200);

    private final ServerSocketChannel listener;
    private final int port;
    private final @Nullable GlooEndpoint gloo;
    private final Map<String, GroupForming> forming = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor handshakes;

    private GroupConnector(ServerSocketChannel listener, int port, @Nullable GlooEndpoint gloo) {
        this.listener = listener;
        this.port = port;
        this.gloo = gloo;
        this.handshakes =
                new ThreadPoolExecutor(0, HANDSHAKES_MAX, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    var thread = new Thread(task, "peer-handshake-" + port);
                    thread.setDaemon(true);
                    return thread;
                });
        var acceptor = new Thread(this::accept, "peer-listener-" + port);
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /** For groups over shared memory only. */
    public static GroupConnector open(InetAddress bind, int port) throws IOException {
        return open(bind, port, null);
    }

    /**
     * @param port 0 for any free one
     * @param gloo the worker's own, which stays its caller's to close; null for groups over shared memory only
     */
    public static GroupConnector open(InetAddress bind, int port, @Nullable GlooEndpoint gloo) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.bind(new InetSocketAddress(bind, port), BACKLOG);
            return new GroupConnector(listener, ((InetSocketAddress) listener.getLocalAddress()).getPort(), gloo);
        } catch (IOException e) {
            listener.close();
            throw e;
        }
    }

    public int peerPort() {
        return port;
    }

    /**
     * Forms the group: blocks until every rank is attached and has a liveness socket to every other.
     *
     * @param deadline how long an operation of the communicator may take, asked anew at each look
     * @throws GroupFormingException when a rank does not come, dies or cannot attach; names it
     */
    public Communicator connect(GroupSpec spec, Duration timeout, Supplier<Duration> deadline) {
        if (timeout.isNegative() || timeout.compareTo(TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException("timeout must be in [0, " + TIMEOUT_MAX + "]: timeout=" + timeout);
        }
        if (spec.worldSize() == 1) {
            return new LocalCommunicator();
        }
        var attempt = new GroupForming(spec, transport(spec), timeout);
        String key = spec.key().toString();
        if (begin(key, attempt) != null) {
            attempt.abort("the group is forming already");
            throw new IllegalStateException("one attempt at a time forms a group: group=" + key);
        }
        try {
            return attempt.run(deadline);
        } finally {
            forming.remove(key, attempt);
        }
    }

    private @Nullable GroupForming begin(String group, GroupForming attempt) {
        synchronized (forming) {
            GroupForming other = forming.putIfAbsent(group, attempt);
            forming.notifyAll();
            return other;
        }
    }

    /** The attempt to form the group, or null when this worker knows of none yet. */
    private @Nullable GroupForming attempt(String group) throws InterruptedException {
        long untilNanos = System.nanoTime() + EARLY_MAX.toNanos();
        synchronized (forming) {
            long leftNanos = EARLY_MAX.toNanos();
            while (!forming.containsKey(group) && listener.isOpen() && leftNanos > 0) {
                TimeUnit.NANOSECONDS.timedWait(forming, leftNanos);
                leftNanos = untilNanos - System.nanoTime();
            }
            return forming.get(group);
        }
    }

    private GroupTransport transport(GroupSpec spec) {
        if (spec.transport() == Transport.SHARED_MEMORY) {
            return new SharedMemoryTransport(spec);
        }
        if (spec.transport() == Transport.GLOO && gloo != null) {
            return new GlooTransport(spec, gloo);
        }
        throw new IllegalArgumentException("this worker forms groups over " + (gloo == null ? "" : "GLOO and ")
                + "SHARED_MEMORY: group=" + spec.key() + " transport=" + spec.transport());
    }

    /**
     * Gives up a group that is forming; {@link #connect} fails soon. A formed one is aborted through its communicator.
     *
     * @return whether it was forming
     */
    public boolean abort(GroupKey key, String reason) {
        GroupForming attempt = forming.get(key.toString());
        if (attempt == null) {
            return false;
        }
        attempt.abort(reason);
        return true;
    }

    private void accept() {
        while (listener.isOpen()) {
            try {
                SocketChannel channel = listener.accept();
                try {
                    handshakes.execute(() -> shakeHands(channel));
                } catch (RejectedExecutionException e) {
                    GroupForming.closeQuietly(channel);
                }
            } catch (ClosedChannelException e) {
                return; // by close()
            } catch (IOException e) { // out of file descriptors, for instance
                LOG.atWarn().setCause(e).addKeyValue("port", port).log("a peer's connection was not accepted");
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void shakeHands(SocketChannel channel) {
        boolean keep = false;
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().setSoTimeout(GroupForming.ANSWER_TIMEOUT_MS);
            Frame.Hello hello = Frame.Hello.decode(Frame.read(channel.socket().getInputStream()));
            GroupForming attempt = attempt(hello.group());
            if (attempt == null) {
                GroupForming.writeFully(channel, Frame.of(Frame.Type.NOT_YET).encode());
            } else {
                keep = attempt.accept(hello, channel);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } catch (IOException e) { // anybody can connect to a port
            LOG.atDebug().setCause(e).addKeyValue("port", port).log("a connection was not a peer's");
        } finally {
            if (!keep) {
                GroupForming.closeQuietly(channel);
            }
        }
    }

    @Override
    public void close() {
        forming.values().forEach(attempt -> attempt.abort("the worker stops"));
        handshakes.shutdownNow();
        try {
            listener.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).addKeyValue("port", port).log("the listener did not close cleanly");
        }
    }
}
