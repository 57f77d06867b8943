package io.myolotrain.core.training;

import io.myolotrain.core.model.MicroBatchRange;
import java.util.ArrayList;
import java.util.List;

/**
 * How a global batch divides: {@code globalBatch = microBatch × M}, and M micro-batches over dp ranks in contiguous blocks
 * whose sizes differ by at most one. The number of a rank's block is its accumulation.
 */
public record BatchArithmetic(int globalBatch, int microBatch) {
    public BatchArithmetic {
        if (microBatch < 1 || globalBatch < 1 || globalBatch % microBatch != 0) {
            throw new IllegalArgumentException("globalBatch must be a positive multiple of microBatch: globalBatch="
                    + globalBatch + " microBatch=" + microBatch);
        }
    }

    /** Micro-batches of one step, M. */
    public int microBatches() {
        return globalBatch / microBatch;
    }

    public MicroBatchRange block(int dp, int rank) {
        if (dp < 1 || dp > microBatches() || rank < 0 || rank >= dp) {
            throw new IllegalArgumentException("ranks must be in [0, dp) and dp in [1, micro-batches]: rank=" + rank
                    + " dp=" + dp + " microBatches=" + microBatches());
        }
        int first = (int) ((long) microBatches() * rank / dp);
        int end = (int) ((long) microBatches() * (rank + 1) / dp);
        return new MicroBatchRange(first, end - first);
    }

    /** Blocks by rank; together they cover all micro-batches in order. */
    public List<MicroBatchRange> blocks(int dp) {
        var blocks = new ArrayList<MicroBatchRange>(dp);
        for (int rank = 0; rank < dp; rank++) {
            blocks.add(block(dp, rank));
        }
        return List.copyOf(blocks);
    }

    /** @param stepPosition job-wide index of the step's first sample */
    public long samplePosition(long stepPosition, int microBatchIndex) {
        return stepPosition + (long) microBatchIndex * microBatch;
    }
}
