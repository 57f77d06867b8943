package io.myolotrain.core.model;

/** The block {@code [first, first + count)} of a step's micro-batches that one rank computes. */
public record MicroBatchRange(int first, int count) {
    public MicroBatchRange {
        if (first < 0 || count < 1) {
            throw new IllegalArgumentException(
                    "a micro-batch block starts at >= 0 and holds >= 1: first=" + first + " count=" + count);
        }
    }

    public int end() {
        return first + count;
    }
}
