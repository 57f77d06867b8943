package io.myolotrain.worker.comm;

import static io.myolotrain.worker.comm.SharedRegion.INT;
import static io.myolotrain.worker.comm.SharedRegion.LONG;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * One rank's hands on one lane of the shared memory (see {@link RegionLayout}): its flags, its areas, and how it waits.
 *
 * <p>Collectives go in rounds. In round s a rank writes its area of parity {@code s & 1}, arrives, and waits until all have
 * arrived. Two parities are enough: who is in round s has seen everybody arrive at s-1, so nobody still reads round s-2.
 *
 * <p>Waiting spins first and then sleeps on the lane's bell. A sleeper announces itself, looks once more, and sleeps for a
 * bounded time; a rank that publishes rings only if its flag completes the round and somebody has announced himself.
 */
final class Lane {
    private final ByteBuffer memory;
    private final FloatBuffer floats;
    private final RegionLayout layout;
    private final int rank;
    private final int ranks;
    private final WaitPolicy waiting;
    private final CollectiveGuard guard;

    private final int bell;
    private final long bellAddress;
    private final int arrived;
    private final int reduced;
    private final int mail;
    private final int in;
    private final int out;
    private final int post;

    Lane(ByteBuffer memory, RegionLayout layout, int lane, int rank, WaitPolicy waiting, CollectiveGuard guard) {
        this.memory = memory;
        this.floats = memory.asFloatBuffer();
        this.layout = layout;
        this.rank = rank;
        this.ranks = layout.ranks(lane);
        this.waiting = waiting;
        this.guard = guard;
        this.bell = layout.laneStart(lane);
        this.bellAddress = Futex.addressOf(memory) + bell;
        this.arrived = layout.arrived(lane);
        this.reduced = layout.reduced(lane);
        this.mail = layout.mail(lane);
        this.in = layout.in(lane);
        this.out = layout.out(lane);
        this.post = layout.post(lane);
    }

    int ranks() {
        return ranks;
    }

    int areaBytes() {
        return layout.areaBytes();
    }

    int postBytes() {
        return layout.postBytes();
    }

    ByteBuffer memory() {
        return memory;
    }

    FloatBuffer floats() {
        return floats;
    }

    /** Byte offset of what a rank gives in a round. */
    int in(int ofRank, long round) {
        return in + (2 * ofRank + parity(round)) * layout.areaBytes();
    }

    /** Byte offset of the round's sum. */
    int out(long round) {
        return out + parity(round) * layout.areaBytes();
    }

    int post(int ofRank, long piece) {
        return post + (2 * ofRank + parity(piece)) * layout.postBytes();
    }

    private static int parity(long sequence) {
        return (int) (sequence & 1);
    }

    /** Publishes this rank's area and waits for everybody's. */
    void meet(long round, long signature) {
        LONG.setOpaque(memory, signatureAt(rank, round), signature);
        publishInRound(arrived, round);
        awaitRound(arrived, round);
        for (int peer = 0; peer < ranks; peer++) {
            checkSignature(peer, round, signature);
        }
    }

    private void checkSignature(int peer, long round, long mine) {
        long theirs = (long) LONG.getOpaque(memory, signatureAt(peer, round));
        if (theirs != mine) {
            throw guard.failure(
                    "every rank must call the same operation with the same sizes: rank " + rank + " called "
                            + Signature.describe(mine) + ", rank " + peer + " called " + Signature.describe(theirs),
                    List.of(peer));
        }
    }

    private int signatureAt(int ofRank, long round) {
        return arrived + ofRank * RegionLayout.LINE + RegionLayout.SIGNATURES + parity(round) * Long.BYTES;
    }

    /** Publishes this rank's segment of the sum and waits for everybody's. */
    void meetReduced(long round) {
        publishInRound(reduced, round);
        awaitRound(reduced, round);
    }

    private void publishInRound(int flags, long round) {
        LONG.setVolatile(memory, flags + rank * RegionLayout.LINE, round);
        VarHandle.fullFence(); // this flag is visible before the others' are read: the last one sees all and rings
        if (firstLate(flags, round, 0) == ranks) {
            ring();
        }
    }

    private void awaitRound(int flags, long round) {
        int late = firstLate(flags, round, 0);
        for (int spin = 0; late < ranks && spin < waiting.spins(); spin++) {
            Thread.onSpinWait();
            late = firstLate(flags, round, late);
        }
        if (late < ranks) {
            sleepUntil(
                    () -> firstLate(flags, round, 0) == ranks,
                    peer -> (long) LONG.getVolatile(memory, flags + peer * RegionLayout.LINE) < round);
        }
    }

    private int firstLate(int flags, long round, int from) {
        int peer = from;
        while (peer < ranks && (long) LONG.getAcquire(memory, flags + peer * RegionLayout.LINE) >= round) {
            peer++;
        }
        return peer;
    }

    /** Announces piece number {@code piece} for {@code to}. */
    void sent(int to, long piece, long messageBytes) {
        int line = mailLine(rank, to);
        LONG.setOpaque(memory, line + RegionLayout.MAIL_BYTES, messageBytes);
        LONG.setVolatile(memory, line, piece);
        VarHandle.fullFence();
        ring();
    }

    /** Waits for a piece and returns the length of the message that it belongs to. */
    long awaitSent(int from, long piece) {
        int line = mailLine(from, rank);
        awaitPeer(line, piece, from);
        return (long) LONG.getOpaque(memory, line + RegionLayout.MAIL_BYTES);
    }

    void taken(int from, long piece) {
        LONG.setVolatile(memory, mailLine(from, rank) + RegionLayout.MAIL_TAKEN, piece);
        VarHandle.fullFence();
        ring();
    }

    void awaitTaken(int by, long piece) {
        awaitPeer(mailLine(rank, by) + RegionLayout.MAIL_TAKEN, piece, by);
    }

    private int mailLine(int from, int to) {
        return mail + (from * ranks + to) * RegionLayout.LINE;
    }

    private void awaitPeer(int flag, long value, int peer) {
        for (int spin = 0; spin < waiting.spins(); spin++) {
            if ((long) LONG.getAcquire(memory, flag) >= value) {
                return;
            }
            Thread.onSpinWait();
        }
        sleepUntil(
                () -> (long) LONG.getVolatile(memory, flag) >= value,
                other -> other == peer && (long) LONG.getVolatile(memory, flag) < value);
    }

    private void sleepUntil(BooleanSupplier done, IntPredicate unarrived) {
        while (!done.getAsBoolean()) {
            int rings = (int) INT.getVolatile(memory, bell);
            INT.getAndAdd(memory, bell + RegionLayout.SLEEPERS, 1);
            if (!done.getAsBoolean()) {
                Futex.await(bellAddress, rings, waiting.wakeUp().toNanos());
            }
            INT.getAndAdd(memory, bell + RegionLayout.SLEEPERS, -1);
            guard.check(unarrived);
        }
    }

    private void ring() {
        // A sleeper that died still counts: then this rings more often than it must.
        if ((int) INT.getVolatile(memory, bell + RegionLayout.SLEEPERS) != 0) {
            INT.getAndAdd(memory, bell, 1);
            Futex.wakeAll(bellAddress);
        }
    }
}
