package io.myolotrain.coordinator;

import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.Ingress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who may come in. Checks what costs least first: a tombstone, an oversized record or one with a foreign key never reaches
 * the decoder or the registry.
 */
final class IngressGate {
    private static final int SHOWN_CHARS_MAX = 80;

    private final int eventBytesMax;
    private final long futureToleranceMs;

    IngressGate(int eventBytesMax, long futureToleranceMs) {
        this.eventBytesMax = eventBytesMax;
        this.futureToleranceMs = futureToleranceMs;
    }

    /** The least that holds for every record of a pool, our own included. */
    static Optional<Rejection> refuseShape(Arrival arrival) {
        if (arrival.value() == null) {
            return refuse(Rejection.Rule.TOMBSTONE, "an event has a value: value=null");
        }
        return pool(arrival.key()).isPresent()
                ? Optional.empty()
                : refuse(Rejection.Rule.KEY, "the key must be a pool id: key=" + shown(arrival.key()));
    }

    /** What can be said before the bytes are read. */
    Optional<Rejection> refuseUnread(Arrival arrival, long nowMs) {
        Optional<Rejection> shape = refuseShape(arrival);
        if (shape.isPresent()) {
            return shape;
        }
        if (arrival.bytes() > eventBytesMax) {
            return refuse(
                    Rejection.Rule.TOO_LARGE,
                    "an event must be at most " + eventBytesMax + " bytes: bytes=" + arrival.bytes());
        }
        return refuseFuture("record", arrival.producedAtMs(), nowMs);
    }

    /** What can be said of a record that could be read. A clock that is behind is no reason: times are information. */
    Optional<Rejection> refuseRead(Arrival arrival, Ingress said, boolean served, long nowMs) {
        PoolId pool = said.header().pool();
        if (!pool.value().equals(arrival.key())) {
            return refuse(
                    Rejection.Rule.KEY,
                    "the key must be the pool that the header names: key=" + shown(arrival.key()) + " pool=" + pool);
        }
        if (!served) {
            return refuse(
                    Rejection.Rule.POOLS,
                    "a partition serves at most " + RememberedIds.POOLS_MAX + " pools: pool=" + pool);
        }
        // A sign of life is one whatever its sender's clock says.
        return said instanceof EventIngress
                ? refuseFuture("event", said.header().sentAtMs(), nowMs)
                : Optional.empty();
    }

    static Optional<PoolId> pool(@Nullable String key) {
        if (key == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new PoolId(key));
        } catch (IllegalArgumentException notAPool) {
            return Optional.empty();
        }
    }

    private Optional<Rejection> refuseFuture(String what, long atMs, long nowMs) {
        return atMs <= nowMs + futureToleranceMs
                ? Optional.empty()
                : refuse(
                        Rejection.Rule.FUTURE,
                        what + " time must be at most " + futureToleranceMs + " ms ahead of our clock: atMs=" + atMs
                                + " nowMs=" + nowMs + "; set the sender's clock");
    }

    private static Optional<Rejection> refuse(Rejection.Rule rule, String detail) {
        return Optional.of(new Rejection(rule, detail));
    }

    private static String shown(@Nullable String key) {
        return key == null || key.length() <= SHOWN_CHARS_MAX
                ? String.valueOf(key)
                : key.substring(0, SHOWN_CHARS_MAX) + "…";
    }
}
