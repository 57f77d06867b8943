package io.myolotrain.worker.readings;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.sampling.Spans;
import io.myolotrain.core.sampling.Spans.Operation;
import io.myolotrain.core.sampling.Spans.Phase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the training thread did since the last committed step, in {@link System#nanoTime}. Recording costs some stores into
 * arrays. Used by the training thread alone.
 */
public final class SpanRecorder {
    /** When a step has more, further ones make the last span of their phase longer: how long a phase took stays true. */
    static final int SPANS_MAX = 256;
    /** The phases that each micro-batch has leave room for what comes once in a step. */
    static final int MICRO_BATCH_SPANS_MAX = 192;

    private static final long TRIVIAL_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Phase[] phases = new Phase[SPANS_MAX];
    private final long[] begins = new long[SPANS_MAX];
    private final long[] ends = new long[SPANS_MAX];
    private final List<Optional<Operation>> operations = new ArrayList<>(SPANS_MAX);

    private final long[] sequences = new long[SPANS_MAX];
    private final long[] bytes = new long[SPANS_MAX];
    private final Map<Operation, Long> collectives = new EnumMap<>(Operation.class);
    private Generation generation = Generation.NONE;
    private int count;

    public void computed(Phase phase, long beginNanos, long endNanos) {
        add(phase, beginNanos, endNanos, Optional.empty(), 0);
    }

    /** What is mostly a look at a flag: only when something was done. */
    public void unlessTrivial(Phase phase, long beginNanos) {
        long ended = System.nanoTime();
        if (ended - beginNanos >= TRIVIAL_NANOS) {
            computed(phase, beginNanos, ended);
        }
    }

    /** @param moved bytes that this rank contributes or receives, whichever is more */
    public void communicated(Phase phase, Operation operation, long moved, long beginNanos, long endNanos) {
        add(phase, beginNanos, endNanos, Optional.of(operation), moved);
    }

    private void add(Phase phase, long begin, long end, Optional<Operation> operation, long moved) {
        int at = count < limit(phase) ? count : lastOf(phase);
        if (at < 0) {
            return;
        }
        if (at == count) {
            count++;
            phases[at] = phase;
            begins[at] = begin;
            ends[at] = end;
            operations.add(operation);
            bytes[at] = moved;
        } else {
            ends[at] += end - begin;
            bytes[at] += moved;
        }
        if (operation.isPresent()) {
            sequences[at] = collectives.merge(operation.get(), 1L, Long::sum) - 1;
        }
    }

    private static int limit(Phase phase) {
        boolean ofMicroBatch = phase == Phase.DATA || phase == Phase.FORWARD || phase == Phase.BACKWARD;
        return ofMicroBatch ? MICRO_BATCH_SPANS_MAX : SPANS_MAX;
    }

    private int lastOf(Phase phase) {
        int at = count - 1;
        while (at >= 0 && phases[at] != phase) {
            at--;
        }
        return at;
    }

    /** Sequence numbers count within a generation. */
    public void entered(Generation entered) {
        if (!entered.equals(generation)) {
            generation = entered;
            collectives.clear();
        }
    }

    /**
     * Everything recorded since the last call.
     *
     * @param baseNanos begin of the step, in {@link System#nanoTime}
     * @param baseAtMicros the same moment, Unix microseconds
     */
    public Spans take(long baseNanos, long baseAtMicros) {
        List<Spans.Span> spans = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long sequence = sequences[i];
            long moved = bytes[i];
            spans.add(new Spans.Span(
                    phases[i],
                    Math.floorDiv(begins[i] - baseNanos, 1_000L),
                    Math.floorDiv(ends[i] - baseNanos, 1_000L),
                    operations.get(i).map(operation -> new Spans.Collective(operation, sequence, moved))));
        }
        forget();
        return new Spans(Names.SPANS, baseAtMicros, spans);
    }

    void forget() {
        operations.clear();
        count = 0;
    }
}
