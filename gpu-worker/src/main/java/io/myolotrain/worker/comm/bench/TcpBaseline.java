package io.myolotrain.worker.comm.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * All-reduce over blocking TCP sockets with TCP_NODELAY, one per pair of ranks: the earlier release's transport, kept to
 * measure against. Recursive doubling for small buffers, a ring in pieces for large ones (the textbook choices). World
 * sizes are powers of two.
 */
final class TcpBaseline implements AutoCloseable {
    private static final int DOUBLING_BYTES_MAX = 32 * 1_024;
    private static final int PIECE_BYTES = 64 * 1_024; // less than two socket buffers: everybody may write first

    private final int rank;
    private final int worldSize;
    private final @Nullable SocketChannel[] peers;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(PIECE_BYTES).order(ByteOrder.nativeOrder());

    private TcpBaseline(int rank, int worldSize) {
        if (Integer.bitCount(worldSize) != 1) {
            throw new IllegalArgumentException("worldSize must be a power of two: worldSize=" + worldSize);
        }
        this.rank = rank;
        this.worldSize = worldSize;
        this.peers = new SocketChannel[worldSize];
    }

    interface PortExchange {
        /** Every rank's port, given this one's. */
        long[] ports(long mine);
    }

    static TcpBaseline connect(int rank, int worldSize, PortExchange exchange) throws IOException {
        var mesh = new TcpBaseline(rank, worldSize);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0))) {
            long[] ports = exchange.ports(((InetSocketAddress) listener.getLocalAddress()).getPort());
            ByteBuffer hello = ByteBuffer.allocate(Integer.BYTES);
            for (int peer = 0; peer < rank; peer++) {
                SocketChannel channel = SocketChannel.open(new InetSocketAddress(loopback, (int) ports[peer]));
                channel.write(hello.clear().putInt(0, rank));
                mesh.add(peer, channel);
            }
            for (int i = rank + 1; i < worldSize; i++) {
                SocketChannel channel = listener.accept();
                readFully(channel, hello.clear());
                mesh.add(hello.getInt(0), channel);
            }
        }
        return mesh;
    }

    private void add(int peer, SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        peers[peer] = channel;
    }

    /** Sums in place; the order of additions depends on the rank count, as it did. */
    void allReduce(ByteBuffer data) throws IOException {
        if (data.capacity() <= DOUBLING_BYTES_MAX) {
            doubling(data);
        } else {
            ring(data);
        }
    }

    private void doubling(ByteBuffer data) throws IOException {
        for (int mask = 1; mask < worldSize; mask <<= 1) {
            int peer = rank ^ mask;
            write(peer, data, 0, data.capacity());
            read(peer, incoming, 0, data.capacity());
            add(data, 0, data.capacity());
        }
    }

    private void ring(ByteBuffer data) throws IOException {
        int next = (rank + 1) % worldSize;
        int previous = (rank + worldSize - 1) % worldSize;
        int segment = (data.capacity() / Float.BYTES + worldSize - 1) / worldSize * Float.BYTES;
        for (int phase = 0; phase < 2; phase++) {
            boolean reduce = phase == 0;
            int first = reduce ? rank : rank + 1;
            for (int step = 0; step < worldSize - 1; step++) {
                int give = Math.floorMod(first - step, worldSize);
                int take = Math.floorMod(give - 1, worldSize);
                for (int at = 0; at < segment; at += PIECE_BYTES) {
                    write(next, data, give * segment + at, pieceBytes(data, give, segment, at));
                    int bytes = pieceBytes(data, take, segment, at);
                    if (reduce) {
                        read(previous, incoming, 0, bytes);
                        add(data, take * segment + at, bytes);
                    } else {
                        read(previous, data, take * segment + at, bytes);
                    }
                }
            }
        }
    }

    private static int pieceBytes(ByteBuffer data, int index, int segment, int at) {
        int end = Math.min(data.capacity(), (index + 1) * segment);
        return Math.max(0, Math.min(PIECE_BYTES, end - index * segment - at));
    }

    private void add(ByteBuffer data, int from, int bytes) {
        for (int i = 0; i < bytes; i += Float.BYTES) {
            data.putFloat(from + i, data.getFloat(from + i) + incoming.getFloat(i));
        }
    }

    private void write(int peer, ByteBuffer data, int from, int bytes) throws IOException {
        ByteBuffer part = data.duplicate().limit(from + bytes).position(from);
        while (part.hasRemaining()) {
            channel(peer).write(part);
        }
    }

    private void read(int peer, ByteBuffer data, int from, int bytes) throws IOException {
        readFully(channel(peer), data.duplicate().limit(from + bytes).position(from));
    }

    private SocketChannel channel(int peer) {
        return java.util.Objects.requireNonNull(peers[peer]);
    }

    private static void readFully(SocketChannel channel, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException("a peer closed its connection");
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : peers) {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
