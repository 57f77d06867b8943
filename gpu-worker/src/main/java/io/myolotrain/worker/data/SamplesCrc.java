package io.myolotrain.worker.data;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C over the sample ids that a rank read in a step, in order, each as 8 bytes big-endian. */
public final class SamplesCrc {
    private final CRC32C crc = new CRC32C();
    private int count;

    public void add(MicroBatch batch) {
        ByteBuffer bytes = ByteBuffer.allocate(batch.sampleIds().length * Long.BYTES);
        bytes.asLongBuffer().put(batch.sampleIds());
        crc.update(bytes);
        count += batch.sampleIds().length;
    }

    public long value() {
        return crc.getValue();
    }

    public int sampleCount() {
        return count;
    }
}
