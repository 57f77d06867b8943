package io.myolotrain.coordinator;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Decisions back to the timekeeper: which workers to listen for, which deadlines to keep. */
final class DecisionReader implements Processor<String, byte[], String, Object> {
    private final Wire wire;
    private final DeadLetters deadLetters;
    private @Nullable ProcessorContext<String, Object> context;

    DecisionReader(Wire wire, Counters counters) {
        this.wire = wire;
        this.deadLetters = new DeadLetters(wire, counters);
    }

    @Override
    public void init(ProcessorContext<String, Object> newContext) {
        context = newContext;
    }

    @Override
    public void process(Record<String, byte[]> record) {
        ProcessorContext<String, Object> to = requireNonNull(context);
        long nowMs = to.currentSystemTimeMs();
        Arrival arrival = DeadLetters.arrival(to, record);
        Optional<Rejection> refused = IngressGate.refuseShape(arrival);
        try {
            if (refused.isEmpty()) {
                var decided =
                        new Observation.Decided(wire.decision(record.value()).facts());
                to.forward(new Record<>(record.key(), decided, nowMs), CoordinatorTopology.TIMEKEEPER);
                return;
            }
        } catch (Wire.Unreadable unreadable) {
            refused = Optional.of(unreadable.rejection());
        }
        to.forward(deadLetters.letter(arrival, refused.get(), nowMs), CoordinatorTopology.DEAD_LETTER_SINK);
    }
}
