package io.myolotrain.cli.chaos;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * A client's connection, the one to the target that goes with it, and both directions between them. A failure of either
 * ends both. On the relay's thread only.
 */
final class RelayedConnection implements Closeable {
    private final SocketChannel client;
    private final SocketChannel target;
    private final SelectionKey clientKey;
    private final SelectionKey targetKey;
    private final OneWay there;
    private final OneWay back;

    private static final class OneWay {
        private final DelayedStream stream = new DelayedStream();
        private final SocketChannel sink;
        private boolean sinkFull;
        private boolean ended;

        OneWay(SocketChannel sink, boolean sinkFull) {
            this.sink = sink;
            this.sinkFull = sinkFull;
        }

        void flow(long nowNanos, long delayNanos) throws IOException {
            if (!sinkFull) {
                sinkFull = !stream.drain(sink, nowNanos, delayNanos);
            }
            if (stream.isFinished() && !ended) {
                sink.shutdownOutput();
                ended = true;
            }
        }

        long dueInNanos(long nowNanos, long delayNanos) {
            return sinkFull ? Long.MAX_VALUE : stream.dueInNanos(nowNanos, delayNanos);
        }
    }

    /** Owns both channels from here on, and closes them when it fails. */
    RelayedConnection(SocketChannel client, SocketChannel target, InetSocketAddress address, Selector selector)
            throws IOException {
        this.client = client;
        this.target = target;
        try {
            for (SocketChannel channel : new SocketChannel[] {client, target}) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            there = new OneWay(target, !target.connect(address));
            back = new OneWay(client, false);
            clientKey = client.register(selector, 0, this);
            targetKey = target.register(selector, 0, this);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** @param key of this connection, with what it is ready for */
    void ready(SelectionKey key, ByteBuffer scratch, long nowNanos) throws IOException {
        if (key.isConnectable()) {
            there.sinkFull = !target.finishConnect();
        }
        boolean isClient = key == clientKey;
        if (key.isReadable()) {
            (isClient ? there : back).stream.fill(isClient ? client : target, scratch, nowNanos);
        }
        if (key.isWritable()) {
            (isClient ? back : there).sinkFull = false;
        }
    }

    /** Hands on what is due, and says what to wait for next. */
    void flow(long nowNanos, long delayNanos) throws IOException {
        there.flow(nowNanos, delayNanos);
        back.flow(nowNanos, delayNanos);
        clientKey.interestOps(interest(there, back));
        targetKey.interestOps(target.isConnected() ? interest(back, there) : SelectionKey.OP_CONNECT);
    }

    private static int interest(OneWay read, OneWay written) {
        return (read.stream.hasRoom() ? SelectionKey.OP_READ : 0) | (written.sinkFull ? SelectionKey.OP_WRITE : 0);
    }

    long dueInNanos(long nowNanos, long delayNanos) {
        return Math.min(there.dueInNanos(nowNanos, delayNanos), back.dueInNanos(nowNanos, delayNanos));
    }

    /** Whether both directions have ended. */
    boolean isOver() {
        return there.ended && back.ended;
    }

    @Override
    public void close() throws IOException {
        try (client;
                target) {
            // nothing is handed on: whoever closes means to cut
        }
    }
}
