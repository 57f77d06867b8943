package io.myolotrain.worker.comm;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One message on a liveness socket: type (1 byte), payload length (2 bytes), payload.
 *
 * <pre>
 *  rank r → rank q &lt; r    HELLO                        q answers WELCOME, NOT_YET (r tries again) or REFUSED
 *  rank 0 → all           PREPARE                      where the memory or the store is
 *  rank r → rank 0        PREPARED                     r is attached, and has a socket to every rank
 *  rank 0 → all           GO                           everybody is
 *  any    → all           BYE                          this rank leaves, why, and whom it blames
 * </pre>
 */
final class Frame {
    enum Type {
        HELLO(1),
        WELCOME(2),
        NOT_YET(3),
        REFUSED(4),
        PREPARE(6),
        PREPARED(7),
        GO(8),
        BYE(9);

        private final byte code;

        Type(int code) {
            this.code = (byte) code;
        }

        private static Type of(byte code) throws IOException {
            for (Type type : values()) {
                if (type.code == code) {
                    return type;
                }
            }
            throw new IOException("a frame's type must be known: code=" + code);
        }
    }

    static final int HEADER_BYTES = 3;
    static final int PAYLOAD_BYTES_MAX = 8_192;
    private static final int TEXT_CHARS_MAX = 1_000;
    private static final byte[] NOTHING = {};

    private final Type type;
    private final byte[] payload;

    Frame(Type type, byte[] payload) {
        this.type = type;
        this.payload = payload;
    }

    Type type() {
        return type;
    }

    byte[] payload() {
        return payload;
    }

    static Frame of(Type type) {
        return new Frame(type, NOTHING);
    }

    static Frame refused(String reason) {
        return new Frame(Type.REFUSED, reason.getBytes(StandardCharsets.UTF_8));
    }

    String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    ByteBuffer encode() {
        return ByteBuffer.allocate(HEADER_BYTES + payload.length)
                .put(type.code)
                .putShort((short) payload.length)
                .put(payload)
                .flip();
    }

    /** The next whole frame of {@code in}, or null when more bytes are needed. */
    static @Nullable Frame decode(ByteBuffer in) throws IOException {
        if (in.remaining() < HEADER_BYTES) {
            return null;
        }
        int at = in.position();
        Type type = Type.of(in.get(at));
        int length = checkedLength(Short.toUnsignedInt(in.getShort(at + 1)));
        if (in.remaining() < HEADER_BYTES + length) {
            return null;
        }
        byte[] payload = new byte[length];
        in.position(at + HEADER_BYTES).get(payload);
        return new Frame(type, payload);
    }

    /** Reads exactly one frame: what follows stays in the stream. */
    static Frame read(InputStream in) throws IOException {
        var data = new DataInputStream(in);
        Type type = Type.of(data.readByte());
        byte[] payload = new byte[checkedLength(data.readUnsignedShort())];
        data.readFully(payload);
        return new Frame(type, payload);
    }

    private static int checkedLength(int length) throws IOException {
        if (length > PAYLOAD_BYTES_MAX) {
            throw new IOException("a payload has at most " + PAYLOAD_BYTES_MAX + " bytes: bytes=" + length);
        }
        return length;
    }

    /** Who wants to talk to whom in which group. */
    record Hello(String group, long fingerprint, int fromRank, int toRank) {
        private static final int MAGIC = 0x4d594f32; // "MYO2"

        Frame encode() {
            return payload(Type.HELLO, out -> {
                out.writeInt(MAGIC);
                out.writeUTF(group);
                out.writeLong(fingerprint);
                out.writeInt(fromRank);
                out.writeInt(toRank);
            });
        }

        static Hello decode(Frame frame) throws IOException {
            var in = new DataInputStream(new ByteArrayInputStream(frame.payload()));
            if (frame.type() != Type.HELLO || in.readInt() != MAGIC) {
                throw new IOException("a peer must begin with HELLO of this protocol: type=" + frame.type());
            }
            return new Hello(in.readUTF(), in.readLong(), in.readInt(), in.readInt());
        }
    }

    /** Last words of a rank. */
    record Bye(String reason, List<Integer> blamed) {
        Frame encode() {
            return payload(Type.BYE, out -> {
                out.writeUTF(reason.length() <= TEXT_CHARS_MAX ? reason : reason.substring(0, TEXT_CHARS_MAX));
                out.writeShort(blamed.size());
                for (int rank : blamed) {
                    out.writeShort(rank);
                }
            });
        }

        static Bye decode(Frame frame) throws IOException {
            var in = new DataInputStream(new ByteArrayInputStream(frame.payload()));
            String reason = in.readUTF();
            int count = in.readUnsignedShort();
            if (count > GroupSpec.WORLD_SIZE_MAX) {
                throw new EOFException("at most " + GroupSpec.WORLD_SIZE_MAX + " ranks can be blamed: ranks=" + count);
            }
            var blamed = new ArrayList<Integer>();
            for (int i = 0; i < count; i++) {
                blamed.add(in.readUnsignedShort());
            }
            return new Bye(reason, List.copyOf(blamed));
        }
    }

    private interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    private static Frame payload(Type type, Writer writer) {
        var bytes = new ByteArrayOutputStream();
        try {
            writer.write(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new IllegalArgumentException("not encodable as " + type, e);
        }
        return new Frame(type, bytes.toByteArray());
    }
}
