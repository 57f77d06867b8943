package io.myolotrain.worker.comm;

import static io.myolotrain.worker.comm.SharedRegion.LONG;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that drive the ranks of a host, by their places in {@code /proc}. The kernel gives a killed process' memory back
 * before it closes its sockets, and that takes a tenth of a second for each few hundred megabytes; its threads end before. Like
 * a rank whose socket was closed, one whose driving thread has begun to exit writes nothing more.
 *
 * <p>Only whoever was seen alive can be found gone: where {@code /proc} shows other processes than the peer's, or none, the
 * sockets tell. Used by the thread that drives this rank.
 */
final class Drivers {
    /** A rank that leaves says so before its thread ends, and the word may still be on its way. */
    private static final Duration GRACE = Duration.ofMillis(5);

    /** A look costs some microseconds, and pieces of a message may wake a rank more often than that. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(2);

    /** proc(5): fields of {@code stat} behind the name of the thread count from its state; the kernel's {@code PF_EXITING}. */
    private static final int FLAGS = 6;

    private static final long EXITING = 4;

    private static final Path SELF = Path.of("/proc/thread-self");
    private static final Pattern PLACE = Pattern.compile("([0-9]{1,9})/task/([0-9]{1,9})");
    private static final Logger LOG = LoggerFactory.getLogger(Drivers.class);

    private final ByteBuffer memory;
    private final int words;
    private final int rank;
    private final Peer[] peers;
    private @Nullable Thread driver;

    private static final class Peer {
        long id;
        boolean seenAlive;
        boolean missed; // at the last look
        boolean isGone;
        long lookedNanos = System.nanoTime() - LOOK_EVERY.toNanos();
        long missedSinceNanos;
    }

    /**
     * @param words byte offset of the first rank's word, which is 0 until it is driven: process id, thread id
     * @param rank this one
     */
    Drivers(ByteBuffer memory, int words, int rank, int ranks) {
        this.memory = memory;
        this.words = words;
        this.rank = rank;
        this.peers = new Peer[ranks];
        for (int i = 0; i < ranks; i++) {
            peers[i] = new Peer();
        }
    }

    private int word(int ofRank) {
        return words + ofRank * RegionLayout.LINE;
    }

    /** Before an operation: the calling thread drives this rank, and whoever drives another one is looked at once. */
    void begin() {
        Thread now = Thread.currentThread();
        if (now != driver) {
            driver = now;
            LONG.setVolatile(memory, word(rank), ownId());
        }
        for (int peer = 0; peer < peers.length; peer++) {
            if (idOf(peer) != peers[peer].id) {
                look(peer, System.nanoTime());
            }
        }
    }

    private long idOf(int ofRank) {
        return (long) LONG.getVolatile(memory, word(ofRank));
    }

    private static long ownId() {
        try {
            Matcher place = PLACE.matcher(Files.readSymbolicLink(SELF).toString());
            return place.matches() ? Long.parseLong(place.group(1)) << 32 | Long.parseLong(place.group(2)) : 0;
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("no place in /proc: sockets alone tell who is dead");
            return 0;
        }
    }

    /** The rank was driven, and is not any more. */
    boolean gone(int ofRank) {
        long nowNanos = System.nanoTime();
        if (nowNanos - peers[ofRank].lookedNanos >= LOOK_EVERY.toNanos()) {
            look(ofRank, nowNanos);
        }
        return peers[ofRank].isGone;
    }

    private void look(int ofRank, long nowNanos) {
        Peer peer = peers[ofRank];
        peer.lookedNanos = nowNanos;
        long id = idOf(ofRank);
        if (peer.id != id) {
            peer.id = id;
            peer.seenAlive = id != 0 && runs(id);
            peer.missed = false;
            peer.isGone = false;
        } else if (peer.seenAlive) {
            boolean missing = !runs(id);
            if (missing && !peer.missed) {
                peer.missedSinceNanos = nowNanos;
            }
            peer.missed = missing;
            peer.isGone = missing && nowNanos - peer.missedSinceNanos >= GRACE.toNanos();
        }
    }

    /** A thread that has begun to exit runs nothing of its own any more, however long the kernel is busy with it. */
    private static boolean runs(long id) {
        Path stat = Path.of("/proc/" + (id >>> 32) + "/task/" + (id & 0xffff_ffffL) + "/stat");
        try {
            String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
            String[] afterName = text.substring(text.lastIndexOf(')') + 2).split(" ", FLAGS + 2);
            return (Long.parseLong(afterName[FLAGS]) & EXITING) == 0;
        } catch (IOException e) { // it has ended; or this process has no file descriptor left
            return !Files.notExists(stat);
        }
    }
}
