package io.myolotrain.worker.comm;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks workers whether they live. A worker listens from before it joins its pool until its process ends, so a refused
 * connection is a death; silence is none: a host that is slow or cannot be reached may come back.
 */
final class RollCall {
    /** A host that has not answered by then says nothing about its workers. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(RollCall.class);

    private final GroupSpec spec;

    RollCall(GroupSpec spec) {
        this.spec = spec;
    }

    /** Asks all at once, as each that cannot be reached takes the whole patience. Answers with ranks in order. */
    List<Integer> refused(Collection<Integer> ranks) {
        var gone = new TreeSet<Integer>();
        try (Selector selector = Selector.open()) {
            try {
                ranks.forEach(rank -> ask(rank, selector, gone));
                long untilNanos = System.nanoTime() + PATIENCE.toNanos();
                long leftNanos = PATIENCE.toNanos();
                while (!selector.keys().isEmpty()
                        && leftNanos > 0
                        && !Thread.currentThread().isInterrupted()) {
                    selector.select(key -> hear(key, gone), leftNanos / 1_000_000 + 1);
                    selector.selectNow(key -> hear(key, gone)); // lets go of the keys that were cancelled
                    leftNanos = untilNanos - System.nanoTime();
                }
            } finally {
                selector.keys().forEach(key -> GroupForming.closeQuietly((SocketChannel) key.channel()));
            }
        } catch (IOException e) {
            log.atDebug().setCause(e).addKeyValue("group", spec.key()).log("the peers could not be looked after");
        }
        return List.copyOf(gone);
    }

    private void ask(int rank, Selector selector, Collection<Integer> gone) {
        PeerAddress peer = spec.peers().get(rank);
        var address = new InetSocketAddress(peer.address(), peer.peerPort());
        if (address.isUnresolved()) {
            return;
        }
        SocketChannel channel = null;
        boolean pending = false;
        try {
            channel = SocketChannel.open();
            channel.configureBlocking(false);
            if (!channel.connect(address)) {
                channel.register(selector, SelectionKey.OP_CONNECT, rank);
                pending = true;
            }
        } catch (ConnectException refused) {
            gone.add(rank);
        } catch (IOException e) {
            log.atDebug().setCause(e).addKeyValue("peer", peer).log("a peer could not be looked after");
        } finally {
            if (channel != null && !pending) {
                GroupForming.closeQuietly(channel);
            }
        }
    }

    private void hear(SelectionKey key, Collection<Integer> gone) {
        var channel = (SocketChannel) key.channel();
        int rank = (Integer) key.attachment();
        try {
            channel.finishConnect();
        } catch (ConnectException refused) {
            gone.add(rank);
        } catch (IOException e) {
            log.atDebug()
                    .setCause(e)
                    .addKeyValue("peer", spec.peers().get(rank))
                    .log("a peer could not be looked after");
        } finally {
            GroupForming.closeQuietly(channel);
        }
    }
}
