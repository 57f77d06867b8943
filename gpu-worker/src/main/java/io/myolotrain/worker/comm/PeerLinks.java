package io.myolotrain.worker.comm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The liveness sockets of one rank: one to every other rank of its group. The kernel closes them when a process dies,
 * however it dies, so a dead peer is known at once. While the group forms they also carry its few messages.
 *
 * <p>One thread per group watches them. Everything else may be called from any thread.
 */
final class PeerLinks {
    private final GroupSpec spec;
    private final Selector selector;
    private final PeerLink[] links;
    private final Object changed = new Object();
    private volatile @Nullable String leaving;

    PeerLinks(GroupSpec spec) {
        this.spec = spec;
        this.links = new PeerLink[spec.worldSize()];
        for (int rank = 0; rank < links.length; rank++) {
            links[rank] = new PeerLink();
        }
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector for the liveness sockets", e);
        }
        var watcher = new Thread(this::watch, "liveness-" + spec.key());
        watcher.setDaemon(true);
        watcher.start();
    }

    /** @return false when the rank has a socket already, or this rank is leaving */
    boolean add(int rank, SocketChannel channel) throws IOException {
        synchronized (changed) {
            if (leaving != null || links[rank].health() != PeerLink.Health.ABSENT) {
                return false;
            }
            channel.configureBlocking(false);
            links[rank].open(channel);
            changed.notifyAll();
        }
        selector.wakeup(); // the watcher registers it
        return true;
    }

    List<Integer> unlinked() {
        var ranks = new ArrayList<Integer>();
        for (int rank = 0; rank < links.length; rank++) {
            if (rank != spec.rank() && links[rank].health() == PeerLink.Health.ABSENT) {
                ranks.add(rank);
            }
        }
        return ranks;
    }

    /** Ranks without a connection that said no word of leaving: never linked, or dead. */
    List<Integer> lost() {
        var ranks = new ArrayList<Integer>(unlinked());
        for (int rank = 0; rank < links.length; rank++) {
            if (dead(rank)) {
                ranks.add(rank);
            }
        }
        return ranks;
    }

    /** Dead, or left. */
    boolean gone(int rank) {
        PeerLink.Health health = links[rank].health();
        return health == PeerLink.Health.DEAD || health == PeerLink.Health.LEFT;
    }

    boolean dead(int rank) {
        return links[rank].health() == PeerLink.Health.DEAD;
    }

    List<Integer> blamedBy(int rank) {
        return links[rank].bye().blamed();
    }

    /** What is known of ranks that are gone, for people. */
    String describe(List<Integer> ranks) {
        var parts = new ArrayList<String>();
        for (int rank : ranks) {
            String fate =
                    switch (links[rank].health()) {
                        case DEAD -> "closed its connection (process dead?)";
                        case ALIVE -> "its thread is gone (process dead?)";
                        case LEFT, ABSENT -> links[rank].bye().reason();
                    };
            parts.add("rank " + spec.describe(List.of(rank)) + ": " + fate);
        }
        return String.join("; ", parts);
    }

    @Nullable String leaving() {
        return leaving;
    }

    void send(int rank, Frame frame) {
        links[rank].send(frame);
    }

    /** @return whether every rank is linked at this time at the latest */
    boolean linkedBy(long untilNanos) {
        synchronized (changed) {
            while (!unlinked().isEmpty()) {
                checkForming();
                long leftNanos = untilNanos - System.nanoTime();
                if (leftNanos <= 0) {
                    return false;
                }
                waitForChange(leftNanos, unlinked());
            }
            return true;
        }
    }

    /** Waits until every rank is linked. */
    void awaitLinked(long deadlineNanos) {
        await(deadlineNanos, this::unlinked, "no connection with rank ");
    }

    /** Waits for one frame of a type from each rank, in rank order. */
    Map<Integer, Frame> await(List<Integer> ranks, Frame.Type type, long deadlineNanos) {
        await(
                deadlineNanos,
                () -> ranks.stream().filter(rank -> !links[rank].has(type)).toList(),
                "no " + type + " from rank ");
        var frames = new TreeMap<Integer, Frame>();
        ranks.forEach(rank -> frames.put(rank, links[rank].take(type)));
        return frames;
    }

    private void await(long deadlineNanos, Supplier<List<Integer>> missing, String what) {
        synchronized (changed) {
            while (true) {
                List<Integer> absent = missing.get();
                if (absent.isEmpty()) {
                    return;
                }
                checkForming();
                long leftNanos = deadlineNanos - System.nanoTime();
                if (leftNanos <= 0) {
                    throw new GroupFormingException(
                            spec.key(), absent, what + spec.describe(absent) + " within the time-out");
                }
                waitForChange(leftNanos, absent);
            }
        }
    }

    /** The caller holds the monitor and looks again. */
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
    private void waitForChange(long atMostNanos, List<Integer> absent) {
        try {
            changed.wait(atMostNanos / 1_000_000 + 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GroupFormingException(spec.key(), absent, "interrupted");
        }
    }

    /** A group that lost a rank while it formed cannot be completed: its plan names that very process. */
    void checkForming() {
        String reason = leaving;
        if (reason != null) {
            throw new GroupFormingException(spec.key(), List.of(), reason);
        }
        for (int rank = 0; rank < links.length; rank++) {
            if (gone(rank)) {
                List<Integer> blamed = links[rank].bye().blamed();
                throw new GroupFormingException(
                        spec.key(), blamed.isEmpty() ? List.of(rank) : blamed, describe(List.of(rank)));
            }
        }
    }

    /** Tells every peer and closes the sockets. The first reason stays. */
    void leave(String reason, List<Integer> blamed) {
        synchronized (changed) {
            if (leaving != null) {
                return;
            }
            leaving = reason;
            Frame bye = new Frame.Bye(reason, blamed).encode();
            for (PeerLink link : links) {
                if (link.health() == PeerLink.Health.ALIVE) {
                    link.send(bye);
                }
            }
            changed.notifyAll();
        }
        selector.wakeup(); // the watcher closes everything
    }

    private void watch() {
        try (selector) {
            while (leaving == null) {
                for (PeerLink link : links) {
                    link.register(selector);
                }
                selector.select(key -> ((PeerLink) key.attachment()).receive());
                notifyChange();
            }
        } catch (IOException e) {
            leave("the liveness sockets failed: " + e.getMessage(), List.of());
        } finally {
            synchronized (changed) { // the last words go out first
                for (PeerLink link : links) {
                    link.close();
                }
            }
        }
    }

    private void notifyChange() {
        synchronized (changed) {
            changed.notifyAll();
        }
    }
}
