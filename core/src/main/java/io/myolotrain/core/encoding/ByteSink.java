package io.myolotrain.core.encoding;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer. Numbers of a fixed width are big-endian; lengths are unsigned LEB128. */
final class ByteSink {
    private byte[] bytes = new byte[256];
    private int size;

    void u8(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    void fixed64(long value) {
        ensure(Long.BYTES);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    /** Small magnitudes are short, negative ones too. */
    void zigzag(long value) {
        varint((value << 1) ^ (value >> 63));
    }

    void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            u8((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        u8((int) rest);
    }

    void text(String value) {
        raw(value.getBytes(StandardCharsets.UTF_8));
    }

    void raw(byte[] value) {
        varint(value.length);
        ensure(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void ensure(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, bytes.length * 2L)));
        }
    }
}
