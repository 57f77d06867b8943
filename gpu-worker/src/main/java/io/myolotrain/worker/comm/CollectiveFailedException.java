package io.myolotrain.worker.comm;

import java.util.List;

/** A collective did not complete. Names the operation, its sequence number and the ranks that had not arrived. */
public final class CollectiveFailedException extends RuntimeException {
    private final transient List<Integer> missingRanks;

    public CollectiveFailedException(String operation, long sequence, List<Integer> missingRanks, String reason) {
        super(operation + " #" + sequence + " failed: " + reason + ", missing ranks=" + missingRanks);
        this.missingRanks = List.copyOf(missingRanks);
    }

    public List<Integer> missingRanks() {
        return missingRanks;
    }
}
