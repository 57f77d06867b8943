package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.Plan;
import io.myolotrain.worker.comm.Communicator;

/** Puts a session into the newest state that all ranks of the group can reach: a checkpoint that each can load, or the seed. */
interface StateRestore {
    /**
     * Called by all ranks together; room for the owned shards is allocated and zero.
     *
     * @param lostStep committed step that is given up, or -1 when there was none
     * @return bytes loaded by this rank
     */
    long restore(Communicator group, Plan plan, JobSession session, long lostStep);
}
