package io.myolotrain.topics;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.schemas.avro.EventHeader;
import io.myolotrain.schemas.avro.Heartbeat;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;

/** The three ingress envelopes: a header, and one of the bodies that the topic allows. */
final class IngressMapping<A extends SpecificRecordBase> implements AvroMapping<Ingress, A> {
    private static final String HEADER = "header";

    private final Class<A> type;
    private final Supplier<A> empty;
    private final OneBody body;
    private final int headerPosition;

    IngressMapping(Class<A> type, Schema schema, Supplier<A> empty) {
        this.type = type;
        this.empty = empty;
        this.body = new OneBody(schema);
        this.headerPosition = schema.getField(HEADER).pos();
    }

    @Override
    public Class<A> type() {
        return type;
    }

    @Override
    public A toAvro(Ingress value) {
        A envelope = empty.get();
        Ingress.Header header = value.header();
        envelope.put(
                headerPosition,
                new EventHeader(header.eventId(), header.pool().value(), header.sender(), header.sentAtMs()));
        body.put(envelope, bodyOf(value));
        return envelope;
    }

    boolean accepts(SpecificRecordBase eventBody) {
        return body.accepts(eventBody);
    }

    private static SpecificRecordBase bodyOf(Ingress value) {
        if (value instanceof HeartbeatIngress heartbeat) {
            return HeartbeatMapping.toAvro(heartbeat.heartbeat());
        }
        return EventMapping.BODIES.toAvro(((EventIngress) value).event());
    }

    @Override
    public Ingress fromAvro(A record) {
        var avroHeader = (EventHeader) record.get(headerPosition);
        var header = new Ingress.Header(
                avroHeader.getEventId(),
                new PoolId(avroHeader.getPool()),
                avroHeader.getSender(),
                avroHeader.getSentAtMs());
        SpecificRecordBase found = body.get(record);
        if (found instanceof Heartbeat heartbeat) {
            return new HeartbeatIngress(header, HeartbeatMapping.toCore(header.pool(), heartbeat));
        }
        Event event = EventMapping.BODIES.fromAvro(found);
        checkPool(header.pool(), event);
        return new EventIngress(header, event);
    }

    /** A body that names a pool of its own must not smuggle itself into another. */
    private static void checkPool(PoolId pool, Event event) {
        PoolId named = pool;
        if (event instanceof Event.JobSubmitted submitted) {
            named = submitted.spec().pool();
        } else if (event instanceof Event.WorkerJoined joined) {
            named = joined.worker().pool();
        }
        if (!named.equals(pool)) {
            throw new IllegalArgumentException("a body's pool must be its header's: body=" + named + " header=" + pool);
        }
    }
}
