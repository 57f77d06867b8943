package io.myolotrain.worker.comm;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rank's part in bringing a group together: a socket to every other rank, then rank 0 leads all of them to the shared
 * memory or store. {@link #run} returns when every rank is attached, so "formed here" means "formed everywhere".
 */
final class GroupForming {
    private static final Logger LOG = LoggerFactory.getLogger(GroupForming.class);
    static final int CONNECT_TIMEOUT_MS = 1_000;
    static final int ANSWER_TIMEOUT_MS = 5_000;
    private static final long RETRY_MS = 10;
    private static final Duration LOOK_AFTER = Duration.ofMillis(50);
    /** Each look is a connection to everybody who is missed. */
    private static final Duration LOOK_FOR_MORE = Duration.ofMillis(20);

    /** Rank 0 gives up first and says why; the others wait this much longer to hear it. */
    private static final Duration FOLLOWER_GRACE = Duration.ofMillis(500);

    private final GroupSpec spec;
    private final GroupTransport transport;
    private final PeerLinks links;
    private final RollCall rollCall;
    private final long deadlineNanos;

    GroupForming(GroupSpec spec, GroupTransport transport, Duration timeout) {
        this.spec = spec;
        this.transport = transport;
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
        this.links = new PeerLinks(spec);
        this.rollCall = new RollCall(spec);
    }

    Communicator run(Supplier<Duration> deadline) {
        try {
            byte[] offer = spec.rank() == 0 ? transport.offer() : null; // while the others are on their way
            connectToLowerRanks();
            awaitHigherRanks();
            if (offer != null) {
                lead(offer);
            } else {
                follow();
            }
            return transport.communicator(links, deadline);
        } catch (GroupFormingException e) {
            Set<Integer> doubtful = doubtful(e.missingRanks());
            giveUp(e.reason(), e.missingRanks()); // first: the others wait only so long to hear it
            throw e.withGone(spec.key(), Burst.over(() -> rollCall.refused(doubtful), LOOK_FOR_MORE));
        } catch (IOException e) {
            String reason = "rank " + spec.rank() + " could not prepare: " + e.getMessage();
            giveUp(reason, List.of(spec.rank()));
            var failure = new GroupFormingException(spec.key(), List.of(spec.rank()), reason);
            failure.initCause(e);
            throw failure;
        } catch (RuntimeException e) {
            giveUp("rank " + spec.rank() + " failed: " + e, List.of(spec.rank()));
            throw e;
        }
    }

    /** Those that are missing, and with them all others that this rank has no connection with. Nobody when it was aborted. */
    private Set<Integer> doubtful(List<Integer> missing) {
        if (missing.isEmpty()) {
            return Set.of();
        }
        var doubtful = new TreeSet<Integer>(links.lost());
        doubtful.addAll(missing);
        doubtful.remove(spec.rank());
        return doubtful;
    }

    private void giveUp(String reason, List<Integer> missing) {
        links.leave(reason, missing);
        transport.discard();
    }

    void abort(String reason) {
        links.leave("aborted: " + reason, List.of());
    }

    private void connectToLowerRanks() {
        for (List<Integer> lower = unlinkedLower(); !lower.isEmpty(); lower = unlinkedLower()) {
            for (int peer : lower) {
                links.checkForming();
                tryConnect(peer);
            }
            if (!unlinkedLower().isEmpty()) {
                pauseBeforeRetry();
            }
        }
    }

    /** They connect to this one. Who is dead never will, so those that stay away are looked after. */
    private void awaitHigherRanks() {
        while (!links.linkedBy(Math.min(deadlineNanos, System.nanoTime() + LOOK_AFTER.toNanos()))) {
            List<Integer> gone = rollCall.refused(links.unlinked());
            if (!gone.isEmpty()) {
                throw nobodyListens(gone);
            }
            if (System.nanoTime() > deadlineNanos) {
                links.awaitLinked(deadlineNanos); // says who is missing
            }
        }
    }

    private GroupFormingException nobodyListens(List<Integer> peers) {
        return new GroupFormingException(
                spec.key(), peers, "rank " + spec.describe(peers) + ": nobody listens there (process dead?)");
    }

    private List<Integer> unlinkedLower() {
        return links.unlinked().stream().filter(peer -> peer < spec.rank()).toList();
    }

    private void pauseBeforeRetry() {
        if (System.nanoTime() > deadlineNanos) {
            List<Integer> missing = links.unlinked();
            throw new GroupFormingException(
                    spec.key(), missing, "no connection with rank " + spec.describe(missing) + " within the time-out");
        }
        try {
            Thread.sleep(RETRY_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GroupFormingException(spec.key(), links.unlinked(), "interrupted");
        }
    }

    /** One attempt; a worker that is not up or does not know the plan yet is asked again. */
    private void tryConnect(int peer) {
        PeerAddress address = spec.peers().get(peer);
        SocketChannel channel = null;
        boolean handedOver = false;
        try {
            channel = SocketChannel.open();
            channel.socket().connect(new InetSocketAddress(address.address(), address.peerPort()), CONNECT_TIMEOUT_MS);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().setSoTimeout(ANSWER_TIMEOUT_MS);
            var hello = new Frame.Hello(spec.key().toString(), spec.fingerprint(), spec.rank(), peer);
            writeFully(channel, hello.encode().encode());
            Frame answer = Frame.read(channel.socket().getInputStream());
            if (answer.type() == Frame.Type.REFUSED) {
                throw new GroupFormingException(
                        spec.key(),
                        List.of(peer),
                        "rank " + spec.describe(List.of(peer)) + " refused: " + answer.text());
            }
            handedOver = answer.type() == Frame.Type.WELCOME && links.add(peer, channel);
        } catch (ConnectException refused) {
            throw nobodyListens(List.of(peer));
        } catch (IOException e) {
            return; // not there yet: the time-out decides
        } finally {
            if (channel != null && !handedOver) {
                closeQuietly(channel);
            }
        }
    }

    /**
     * A higher rank has said hello on a connection that this worker accepted.
     *
     * @return whether this group keeps the socket
     */
    boolean accept(Frame.Hello hello, SocketChannel channel) throws IOException {
        String refusal = refusal(hello);
        if (refusal != null) {
            writeFully(channel, Frame.refused(refusal).encode());
            return false;
        }
        writeFully(channel, Frame.of(Frame.Type.WELCOME).encode());
        return links.add(hello.fromRank(), channel);
    }

    private @Nullable String refusal(Frame.Hello hello) {
        if (hello.toRank() != spec.rank()) {
            return "this worker is rank " + spec.rank() + ", not " + hello.toRank();
        }
        if (hello.fromRank() <= spec.rank() || hello.fromRank() >= spec.worldSize()) {
            return "a rank connects to lower ranks of its world: from=" + hello.fromRank() + " to=" + spec.rank()
                    + " worldSize=" + spec.worldSize();
        }
        if (hello.fingerprint() != spec.fingerprint()) {
            return "this worker knows another plan for the group";
        }
        return null;
    }

    /** Every rank has a socket to this one, so all are there. */
    private void lead(byte[] offer) throws IOException {
        List<Integer> others = IntStream.range(1, spec.worldSize()).boxed().toList();
        others.forEach(peer -> links.send(peer, new Frame(Frame.Type.PREPARE, offer)));
        transport.join(offer, remaining());
        links.await(others, Frame.Type.PREPARED, deadlineNanos);
        transport.joined();
        others.forEach(peer -> links.send(peer, Frame.of(Frame.Type.GO)));
    }

    private void follow() throws IOException {
        long patientNanos = deadlineNanos + FOLLOWER_GRACE.toNanos();
        Frame prepare = awaitFromLeader(Frame.Type.PREPARE, patientNanos);
        transport.join(prepare.payload(), remaining());
        links.send(0, Frame.of(Frame.Type.PREPARED));
        awaitFromLeader(Frame.Type.GO, patientNanos);
    }

    private Frame awaitFromLeader(Frame.Type type, long untilNanos) {
        return Objects.requireNonNull(links.await(List.of(0), type, untilNanos).get(0));
    }

    private Duration remaining() {
        return Duration.ofNanos(Math.max(1_000_000, deadlineNanos - System.nanoTime()));
    }

    static void writeFully(SocketChannel blocking, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            blocking.write(bytes);
        }
    }

    static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("a socket did not close cleanly");
        }
    }
}
