package io.myolotrain.schemas;

import java.nio.ByteBuffer;

/**
 * Confluent's wire format.
 *
 * <pre>
 *  0      1               5
 *  +------+---------------+----------------------
 *  | 0x00 | schema id, BE | Avro binary encoding …
 *  +------+---------------+----------------------
 * </pre>
 */
public final class WireFormat {
    public static final byte MAGIC = 0x00;
    public static final int HEADER_BYTES = 5;

    private WireFormat() {}

    public static byte[] header(int schemaId) {
        return ByteBuffer.allocate(HEADER_BYTES).put(MAGIC).putInt(schemaId).array();
    }

    public static int schemaId(byte[] record) throws Undecodable {
        if (record.length < HEADER_BYTES) {
            throw new Undecodable("a record must have the " + HEADER_BYTES + "-byte header (0x00, schema id): bytes="
                    + record.length);
        }
        if (record[0] != MAGIC) {
            throw new Undecodable(String.format(
                    "a record must start with 0x00, the mark of the registry's wire format: firstByte=0x%02x",
                    record[0] & 0xff));
        }
        return ByteBuffer.wrap(record).getInt(1);
    }
}
