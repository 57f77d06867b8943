package io.myolotrain.core.sampling;

import java.util.List;
import java.util.Optional;

/**
 * What one rank did during one step and when.
 *
 * @param baseAtMicros rank's clock at the begin of the step, Unix microseconds; spans count from here
 */
public record Spans(String name, long baseAtMicros, List<Span> spans) implements Frame {
    public static final int SPANS_MAX = 4_096;

    /** What a rank is doing. WAIT: no step to compute, or no plan. */
    public enum Phase {
        DATA,
        FORWARD,
        BACKWARD,
        ALL_REDUCE,
        COMMIT,
        OPTIMIZER,
        ALL_GATHER,
        VALIDATION,
        STATE_MOVE,
        CHECKPOINT,
        WAIT
    }

    /** In NCCL's words. */
    public enum Operation {
        ALL_REDUCE,
        ALL_GATHER,
        REDUCE_SCATTER,
        BROADCAST,
        SEND,
        RECV
    }

    /**
     * @param sequence counts the rank's spans of this operation within its generation, so that ranks can be compared
     * @param bytes that this rank contributes or receives, whichever is more
     */
    public record Collective(Operation operation, long sequence, long bytes) {
        public Collective {
            if (sequence < 0 || bytes < 0) {
                throw new IllegalArgumentException(
                        "sequence and bytes must be >= 0: sequence=" + sequence + " bytes=" + bytes);
            }
        }
    }

    /**
     * @param beginMicros from {@code baseAtMicros}; may be negative for what began before the step, such as a wait
     * @param collective what was communicated; empty for computation
     */
    public record Span(Phase phase, long beginMicros, long endMicros, Optional<Collective> collective) {
        public Span {
            if (endMicros < beginMicros) {
                throw new IllegalArgumentException(
                        "a span ends at or after its begin: beginMicros=" + beginMicros + " endMicros=" + endMicros);
            }
        }
    }

    public Spans {
        Frame.requireName(name);
        if (spans.size() > SPANS_MAX) {
            throw new IllegalArgumentException("a step holds at most " + SPANS_MAX + " spans: spans=" + spans.size());
        }
        spans = List.copyOf(spans);
    }
}
