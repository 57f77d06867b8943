package io.myolotrain.coordinator;

import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.jspecify.annotations.Nullable;

/**
 * Streams reads the partition whose next record is the oldest. A record from the future would hold its partition back for
 * as long as the others are busy, so no record is taken for newer than now; the time that it claims travels in a header.
 */
public final class ClampToNow implements TimestampExtractor {
    private static final String CLAIMED = "myolotrain.claimedTimestampMs";

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        long nowMs = System.currentTimeMillis();
        long claimedMs = record.timestamp();
        if (claimedMs >= 0 && claimedMs <= nowMs) {
            return claimedMs;
        }
        record.headers()
                .add(CLAIMED, ByteBuffer.allocate(Long.BYTES).putLong(claimedMs).array());
        return nowMs;
    }

    /** The time that the record's producer gave it. */
    static long claimedMs(Headers headers, long extractedMs) {
        @Nullable Header claimed = headers.lastHeader(CLAIMED);
        return claimed == null || claimed.value() == null || claimed.value().length != Long.BYTES
                ? extractedMs
                : ByteBuffer.wrap(claimed.value()).getLong();
    }
}
