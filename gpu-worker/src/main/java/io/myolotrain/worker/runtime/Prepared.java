package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.Plan;
import io.myolotrain.worker.comm.Communicator;
import org.jspecify.annotations.Nullable;

/**
 * A plan that this worker could switch to at the next boundary: the model is built, the data open, the group connected.
 *
 * @param group members first, then departing holders; null when the plan goes on over the group in use
 */
record Prepared(Plan plan, JobSession session, @Nullable Communicator group) {
    Generation generation() {
        return plan.generation();
    }

    /** Gives up a plan that will not be adopted. */
    void discard() {
        if (group != null) {
            group.close();
        }
    }
}
