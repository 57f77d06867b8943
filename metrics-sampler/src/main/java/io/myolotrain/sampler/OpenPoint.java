package io.myolotrain.sampler;

import io.myolotrain.core.sampling.RollUp;

/** A growing point and where its latest state is: published, stored, or only here. */
final class OpenPoint {
    final RollUp rollUp;
    /** Holds readings that no published point holds. */
    boolean unpublished;
    /** Holds readings that neither a published point nor the store holds. */
    boolean unstored;
    /** The store has an older or equal state of it. */
    boolean inStore;

    OpenPoint(RollUp rollUp) {
        this.rollUp = rollUp;
    }

    void add(long step, long atMs, double value) {
        rollUp.add(step, atMs, value);
        unpublished = true;
        unstored = true;
    }
}
