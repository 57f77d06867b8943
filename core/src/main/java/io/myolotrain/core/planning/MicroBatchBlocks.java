package io.myolotrain.core.planning;

import io.myolotrain.core.model.MicroBatchRange;
import java.util.ArrayList;
import java.util.List;

/** Contiguous blocks of a step's micro-batches, one per rank; sizes differ by at most one, the first ranks take the larger. */
final class MicroBatchBlocks {
    private MicroBatchBlocks() {}

    static List<MicroBatchRange> of(int microBatches, int ranks) {
        if (ranks < 1 || microBatches < ranks) {
            throw new IllegalArgumentException(
                    "each rank computes >= 1 micro-batch: micro-batches=" + microBatches + " ranks=" + ranks);
        }
        var blocks = new ArrayList<MicroBatchRange>(ranks);
        int first = 0;
        for (int rank = 0; rank < ranks; rank++) {
            int count = microBatches / ranks + (rank < microBatches % ranks ? 1 : 0);
            blocks.add(new MicroBatchRange(first, count));
            first += count;
        }
        return List.copyOf(blocks);
    }
}
