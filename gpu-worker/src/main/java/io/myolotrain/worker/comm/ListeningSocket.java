package io.myolotrain.worker.comm;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A listening socket as a bare file descriptor, bound to one address. LibTorch's store listens on every interface when it
 * opens its own; it takes a ready one instead.
 */
final class ListeningSocket {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_STREAM_CLOEXEC = 1 | 0x80000;
    private static final int BACKLOG = 128;
    private static final int ADDRESS_BYTES_MAX = 28; // sockaddr_in6

    static {
        Native.register(ListeningSocket.class, "c");
    }

    private ListeningSocket() {}

    private static native int socket(int family, int type, int protocol) throws LastErrorException;

    private static native int bind(int fd, byte[] address, int length) throws LastErrorException;

    private static native int listen(int fd, int backlog) throws LastErrorException;

    private static native int getsockname(int fd, byte[] address, int[] length) throws LastErrorException;

    private static native int close(int fd) throws LastErrorException;

    record Bound(int fd, int port) {}

    /** @param port 0 for any free one */
    static Bound open(InetAddress address, int port) throws IOException {
        boolean v4 = address instanceof Inet4Address;
        int fd = -1;
        try {
            fd = socket(v4 ? AF_INET : AF_INET6, SOCK_STREAM_CLOEXEC, 0);
            byte[] name = socketAddress(address, v4, port);
            bind(fd, name, name.length);
            listen(fd, BACKLOG);
            byte[] bound = new byte[ADDRESS_BYTES_MAX];
            getsockname(fd, bound, new int[] {bound.length});
            return new Bound(fd, Short.toUnsignedInt(ByteBuffer.wrap(bound).getShort(2)));
        } catch (LastErrorException e) {
            if (fd >= 0) {
                close(fd);
            }
            throw new IOException("no listening socket at " + address + ":" + port + ": errno=" + e.getErrorCode(), e);
        }
    }

    /** sockaddr_in: family, port, address, 8 zeros; sockaddr_in6: family, port, flow (4), address, scope (4). */
    private static byte[] socketAddress(InetAddress address, boolean v4, int port) {
        ByteBuffer name = ByteBuffer.allocate(v4 ? 16 : ADDRESS_BYTES_MAX);
        name.order(ByteOrder.nativeOrder()).putShort((short) (v4 ? AF_INET : AF_INET6));
        name.order(ByteOrder.BIG_ENDIAN).putShort((short) port);
        if (!v4) {
            name.putInt(0);
        }
        name.put(address.getAddress());
        return name.array();
    }
}
