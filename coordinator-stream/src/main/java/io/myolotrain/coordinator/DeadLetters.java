package io.myolotrain.coordinator;

import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.DeadLetter;
import java.util.Arrays;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts aside what is not let in, with where it stood and why; each is counted, and logged once. */
final class DeadLetters {
    /** Of a longer record only the beginning is kept; no ingress topic takes one. */
    static final int BYTES_KEPT_MAX = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final byte[] NONE = {};

    private final Wire wire;
    private final Counters counters;

    DeadLetters(Wire wire, Counters counters) {
        this.wire = wire;
        this.counters = counters;
    }

    static Arrival arrival(ProcessorContext<?, ?> context, Record<String, byte[]> record) {
        RecordMetadata at = context.recordMetadata().orElseThrow();
        return new Arrival(
                at.topic(),
                at.partition(),
                at.offset(),
                record.key(),
                record.value(),
                ClampToNow.claimedMs(record.headers(), record.timestamp()));
    }

    /** Key: the pool where it is known, else the topic. */
    Record<String, byte[]> letter(Arrival arrival, Rejection why, long nowMs) {
        counters.rejected(why.rule());
        LOG.atWarn()
                .addKeyValue("topic", arrival.topic())
                .addKeyValue("partition", arrival.partition())
                .addKeyValue("offset", arrival.offset())
                .addKeyValue("reason", why.detail())
                .log("record rejected");
        var letter = new DeadLetter(
                arrival.topic(), arrival.partition(), arrival.offset(), why.detail(), kept(arrival.value()), nowMs);
        String key = IngressGate.pool(arrival.key()).map(PoolId::value).orElse(arrival.topic());
        return new Record<>(key, wire.encode(letter), nowMs);
    }

    private static byte[] kept(byte @Nullable [] value) {
        if (value == null) {
            return NONE;
        }
        return value.length <= BYTES_KEPT_MAX ? value : Arrays.copyOf(value, BYTES_KEPT_MAX);
    }
}
