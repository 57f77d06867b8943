package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.WorkerRef;
import java.util.List;
import java.util.Optional;

/**
 * What a worker is doing when it sends a heartbeat: enough to say why a job stands still. No decision depends on it.
 *
 * @param generation of the plan in force at this worker
 * @param rank in that plan; -1 when the worker waits for a plan
 * @param committedStep the last one, at this worker
 * @param sinceCommitMillis time since then, or since the world was entered
 * @param stepMillis median of recent steps; 0 before the first
 * @param waiting the collective in which the training thread waits for others
 */
public record Activity(
        JobId job,
        Generation generation,
        int rank,
        long committedStep,
        long sinceCommitMillis,
        long stepMillis,
        Optional<Waiting> waiting) {

    /**
     * A collective that has not completed.
     *
     * @param operation NCCL's name for it
     * @param sequence of the communicator's operations, the same on every rank
     * @param millis how long this rank has been in it
     * @param late who had not arrived; empty when the transport does not tell
     */
    public record Waiting(String operation, long sequence, long millis, List<WorkerRef> late) {
        public Waiting {
            late = List.copyOf(late);
        }
    }
}
