package io.myolotrain.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DelayedStreamTest {
    private static final long DELAY = 100;

    private final DelayedStream stream = new DelayedStream();
    private final ByteBuffer scratch = ByteBuffer.allocate(64 << 10);
    private final ByteArrayOutputStream handedOn = new ByteArrayOutputStream();

    private void arrive(long now, String text) throws IOException {
        stream.fill(source(text.getBytes(StandardCharsets.UTF_8)), scratch, now);
    }

    private static ReadableByteChannel source(byte[] bytes) {
        return Channels.newChannel(new ByteArrayInputStream(bytes));
    }

    private String handedOnBy(long now) throws IOException {
        assertThat(stream.drain(Channels.newChannel(handedOn), now, DELAY)).isTrue();
        return handedOn.toString(StandardCharsets.UTF_8);
    }

    @Test
    void everyPieceIsAsLateAsTheOthersAndInOrder() throws Exception {
        arrive(1_000, "first ");
        arrive(1_050, "second ");
        assertThat(handedOnBy(1_099)).isEmpty();
        assertThat(stream.dueInNanos(1_099, DELAY)).isEqualTo(1);
        assertThat(handedOnBy(1_100)).isEqualTo("first ");
        assertThat(handedOnBy(1_149)).isEqualTo("first ");
        arrive(1_149, "third");
        assertThat(handedOnBy(1_150)).isEqualTo("first second ");
        assertThat(handedOnBy(2_000)).isEqualTo("first second third");
        assertThat(stream.dueInNanos(2_000, DELAY)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theEndIsDelayedLikeTheBytes() throws Exception {
        arrive(0, "last");
        arrive(10, "");
        assertThat(stream.hasRoom()).as("reads on after the end").isFalse();
        assertThat(handedOnBy(DELAY)).isEqualTo("last");
        assertThat(stream.isFinished()).isFalse();
        assertThat(handedOnBy(DELAY + 10)).isEqualTo("last");
        assertThat(stream.isFinished()).isTrue();
    }

    @Test
    void aFullStreamReadsNoMoreUntilSomethingIsHandedOn() throws Exception {
        ReadableByteChannel endless = source(new byte[4 * DelayedStream.HELD_BYTES_MAX]);
        while (stream.hasRoom()) {
            stream.fill(endless, scratch, 0);
        }
        handedOnBy(DELAY);
        assertThat(handedOn.size()).isPositive().isLessThanOrEqualTo(DelayedStream.HELD_BYTES_MAX);
        assertThat(stream.hasRoom()).isTrue();
    }

    @Test
    void piecesOfOneByteFillItToo() throws Exception {
        int pieces = 0;
        while (stream.hasRoom()) {
            arrive(0, "x");
            pieces++;
        }
        assertThat(pieces).isLessThanOrEqualTo(DelayedStream.HELD_BYTES_MAX / DelayedStream.PIECE_OVERHEAD_BYTES);
    }

    @Test
    void whatASinkDoesNotTakeStays() throws Exception {
        arrive(0, "abcdef");
        var sink = new TakesFour();
        assertThat(stream.drain(sink, DELAY, DELAY)).isFalse();
        sink.room = 4;
        assertThat(stream.drain(sink, DELAY, DELAY)).isTrue();
        assertThat(sink.taken.toString(StandardCharsets.UTF_8)).isEqualTo("abcdef");
    }

    private static final class TakesFour implements WritableByteChannel {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private int room = 4;

        @Override
        public int write(ByteBuffer bytes) {
            int count = Math.min(room, bytes.remaining());
            for (int i = 0; i < count; i++) {
                taken.write(bytes.get());
            }
            room -= count;
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
