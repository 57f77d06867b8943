package io.myolotrain.ui.live;

import org.jspecify.annotations.Nullable;

/**
 * A worker of the pool.
 *
 * @param job that it works for or prepares for, null for a standby
 * @param rank in the plan in force, or in the pending one while it joins
 */
public record WorkerView(
        String id,
        long incarnation,
        String host,
        String address,
        int httpPort,
        String kernel,
        String version,
        State state,
        @Nullable String job,
        @Nullable Integer rank,
        @Nullable Long generation) {

    /** MEMBER of the plan in force; JOINING the pending plan; DRAINING asks to leave; STANDBY has no part. */
    public enum State {
        MEMBER,
        JOINING,
        DRAINING,
        STANDBY
    }
}
