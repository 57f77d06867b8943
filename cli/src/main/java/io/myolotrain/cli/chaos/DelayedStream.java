package io.myolotrain.cli.chaos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One direction of a relayed connection: its bytes in order, each piece with the time at which it came. The end of the
 * source is the last piece and as late as the others. While it is full its owner does not read, so that the sender's own
 * window closes. Times are those of {@link System#nanoTime}. Not thread-safe.
 */
final class DelayedStream {
    static final int HELD_BYTES_MAX = 512 << 10; // overhead included; then it has no room
    /** What a piece takes beside its bytes: many pieces of one byte each are memory, too. */
    static final int PIECE_OVERHEAD_BYTES = 64;

    private final Deque<Piece> held = new ArrayDeque<>();
    private int heldBytes;
    private boolean sourceEnded;

    /** @param bytes none at the end of the source */
    private record Piece(long cameNanos, ByteBuffer bytes) {
        int size() {
            return bytes.capacity() + PIECE_OVERHEAD_BYTES;
        }
    }

    /** Whether more may be read. */
    boolean hasRoom() {
        return !sourceEnded && heldBytes < HELD_BYTES_MAX;
    }

    /** Reads once; may only be called while there is room. */
    void fill(ReadableByteChannel source, ByteBuffer scratch, long nowNanos) throws IOException {
        scratch.clear().limit(Math.min(scratch.capacity(), HELD_BYTES_MAX - heldBytes));
        int read = source.read(scratch);
        if (read == 0) {
            return;
        }
        sourceEnded = read < 0;
        ByteBuffer copy = ByteBuffer.allocate(Math.max(read, 0));
        copy.put(scratch.flip()).flip();
        var piece = new Piece(nowNanos, copy);
        held.add(piece);
        heldBytes += piece.size();
    }

    /** @return whether the sink took everything that was due */
    boolean drain(WritableByteChannel sink, long nowNanos, long delayNanos) throws IOException {
        while (dueInNanos(nowNanos, delayNanos) <= 0) {
            Piece first = held.element();
            if (first.bytes.hasRemaining()) {
                sink.write(first.bytes);
            }
            if (first.bytes.hasRemaining()) {
                return false;
            }
            heldBytes -= first.size();
            held.remove();
        }
        return true;
    }

    /** Zero or less when the first piece is due; {@link Long#MAX_VALUE} when nothing is held. */
    long dueInNanos(long nowNanos, long delayNanos) {
        return held.isEmpty() ? Long.MAX_VALUE : delayNanos - (nowNanos - held.element().cameNanos);
    }

    /** Whether the source has ended and everything, its end included, was handed on. */
    boolean isFinished() {
        return sourceEnded && held.isEmpty();
    }
}
