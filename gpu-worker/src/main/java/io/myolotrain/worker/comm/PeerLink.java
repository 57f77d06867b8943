package io.myolotrain.worker.comm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The liveness socket to one peer.
 *
 * <pre>
 *  ABSENT ──open──> ALIVE ──BYE──> LEFT
 *                     └──closed, failed──> DEAD
 * </pre>
 */
final class PeerLink {
    enum Health {
        ABSENT,
        ALIVE,
        LEFT,
        DEAD
    }

    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
    private static final int INBOX_FRAMES_MAX = 8; // the protocol has fewer; more is a violation
    private static final Frame.Bye NO_WORDS = new Frame.Bye("no reason given", List.of());

    private final ByteBuffer received = ByteBuffer.allocate(Frame.HEADER_BYTES + Frame.PAYLOAD_BYTES_MAX);
    private final Deque<Frame> inbox = new ArrayDeque<>(); // guarded by this
    private volatile Health health = Health.ABSENT;
    private volatile Frame.Bye bye = NO_WORDS;
    private volatile @Nullable SocketChannel channel;
    private boolean registered; // the watcher's alone

    Health health() {
        return health;
    }

    Frame.Bye bye() {
        return bye;
    }

    void open(SocketChannel connected) {
        channel = connected;
        health = Health.ALIVE;
    }

    void register(Selector selector) {
        SocketChannel open = channel;
        if (open == null || registered || health != Health.ALIVE) {
            return;
        }
        registered = true;
        try {
            open.register(selector, SelectionKey.OP_READ, this);
        } catch (ClosedChannelException e) {
            die(e);
        }
    }

    /** Called when bytes, or the end, have come. */
    void receive() {
        SocketChannel open = channel;
        if (open == null) {
            return;
        }
        try {
            int read;
            while ((read = open.read(received)) > 0) {
                received.flip();
                for (Frame frame = Frame.decode(received); frame != null; frame = Frame.decode(received)) {
                    accept(frame);
                }
                received.compact();
            }
            if (read < 0) {
                die(null);
            }
        } catch (IOException | CancelledKeyException e) {
            die(e);
        }
    }

    private synchronized void accept(Frame frame) throws IOException {
        if (frame.type() == Frame.Type.BYE) {
            bye = Frame.Bye.decode(frame);
            if (health == Health.ALIVE) {
                health = Health.LEFT;
            }
        } else if (inbox.size() == INBOX_FRAMES_MAX) {
            throw new IOException("a peer sends at most " + INBOX_FRAMES_MAX + " frames ahead: type=" + frame.type());
        } else {
            inbox.add(frame);
        }
    }

    synchronized boolean has(Frame.Type type) {
        return inbox.stream().anyMatch(frame -> frame.type() == type);
    }

    synchronized Frame take(Frame.Type type) {
        Frame found =
                inbox.stream().filter(frame -> frame.type() == type).findFirst().orElseThrow();
        inbox.remove(found);
        return found;
    }

    synchronized void send(Frame frame) {
        SocketChannel open = channel;
        if (open == null) {
            return;
        }
        ByteBuffer bytes = frame.encode();
        try {
            open.write(bytes);
        } catch (IOException e) { // the watcher sees it too, after the peer's last words
            LOG.atDebug().setCause(e).log("a peer could not be written to");
            return;
        }
        if (bytes.hasRemaining()) { // a few hundred bytes into an empty send buffer: the peer is not reading
            die(null);
        }
    }

    private void die(@Nullable Exception cause) {
        synchronized (this) {
            if (health == Health.ALIVE) {
                health = Health.DEAD;
                LOG.atDebug().setCause(cause).log("a liveness socket closed");
            }
        }
        close();
    }

    void close() {
        SocketChannel open = channel;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.atDebug().setCause(e).log("a liveness socket did not close cleanly");
            }
        }
    }
}
