package io.myolotrain.core.encoding;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what {@link ByteSink} wrote. Bytes are untrusted: every length is checked against what is left. */
final class ByteSource {
    private final byte[] bytes;
    private int at;

    ByteSource(byte[] bytes) {
        this.bytes = bytes;
    }

    int u8() {
        need(1);
        return bytes[at++] & 0xFF;
    }

    long fixed64() {
        need(Long.BYTES);
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | (bytes[at++] & 0xFF);
        }
        return value;
    }

    long zigzag() {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int b = u8();
            value |= (long) (b & 0x7F) << shift;
            if ((b & 0x80) == 0) {
                return value;
            }
        }
        throw new MalformedEncodingException("a number has at most 10 bytes: offset=" + at);
    }

    /** A number of things that take at least one byte each. */
    int length() {
        long length = varint();
        if (length < 0 || length > bytes.length - at) {
            throw new MalformedEncodingException(
                    "a length is at most what is left: length=" + length + " left=" + (bytes.length - at));
        }
        return (int) length;
    }

    String text() {
        int length = length();
        try {
            String value = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, at, length))
                    .toString();
            at += length;
            return value;
        } catch (CharacterCodingException e) {
            throw new MalformedEncodingException("text is UTF-8: offset=" + at);
        }
    }

    byte[] raw() {
        int length = length();
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    void expectEnd() {
        if (at != bytes.length) {
            throw new MalformedEncodingException("a value ends with its bytes: used=" + at + " given=" + bytes.length);
        }
    }

    private void need(int count) {
        if (bytes.length - at < count) {
            throw new MalformedEncodingException(
                    "a value needs its bytes: needed=" + count + " left=" + (bytes.length - at));
        }
    }
}
