package io.myolotrain.worker.comm;

import java.util.List;

/**
 * An operation in which a rank has been waiting for others for longer than a moment.
 *
 * @param operation NCCL's name for it
 * @param sequence counts the operations of the communicator
 * @param startNanos {@link System#nanoTime()} at its begin
 * @param lateRanks who had not arrived at the last look; empty when the transport does not tell
 */
public record Waiting(String operation, long sequence, long startNanos, List<Integer> lateRanks) {
    public Waiting {
        lateRanks = List.copyOf(lateRanks);
    }
}
