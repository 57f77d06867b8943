package io.myolotrain.worker.comm;

import io.myolotrain.worker.comm.Communicator.FloatRange;
import java.nio.FloatBuffer;
import java.util.List;

/** What every communicator asks of its caller, in one place. */
final class CollectiveArguments {
    private CollectiveArguments() {}

    static void checkAllReduce(
            TreeReduction reduction, List<FloatBuffer> partials, FloatBuffer result, int rank, int worldSize) {
        if (reduction.firstSlot().size() != worldSize + 1) {
            throw new IllegalArgumentException("a reduction must assign its leaves to every rank: worldSize="
                    + worldSize + " assigned=" + (reduction.firstSlot().size() - 1));
        }
        if (partials.size() != reduction.slotsOf(rank)) {
            throw new IllegalArgumentException("a rank gives one partial sum per node of its cover: rank=" + rank
                    + " partials=" + partials.size() + " nodes=" + reduction.slotsOf(rank));
        }
        for (FloatBuffer partial : partials) {
            if (partial.remaining() != result.remaining()) {
                throw new IllegalArgumentException("partials must be as long as the result: partial="
                        + partial.remaining() + " result=" + result.remaining());
            }
        }
    }

    static void checkWords(long[] words) {
        if (words.length > Communicator.SMALL_WORDS_MAX) {
            throw new IllegalArgumentException(
                    "a rank gives at most " + Communicator.SMALL_WORDS_MAX + " words: words=" + words.length);
        }
    }

    static void checkRanges(FloatBuffer data, List<List<FloatRange>> rangesByRank, int worldSize) {
        if (rangesByRank.size() != worldSize) {
            throw new IllegalArgumentException(
                    "ranges must be given for every rank: worldSize=" + worldSize + " given=" + rangesByRank.size());
        }
        for (List<FloatRange> ranges : rangesByRank) {
            for (FloatRange range : ranges) {
                if (range.offset() < 0 || range.length() < 0 || range.offset() > data.remaining() - range.length()) {
                    throw new IllegalArgumentException(
                            "a range must lie within the buffer: " + range + " floats=" + data.remaining());
                }
            }
        }
    }

    static void checkPeer(int peer, int rank, int worldSize) {
        if (peer < 0 || peer >= worldSize || peer == rank) {
            throw new IllegalArgumentException(
                    "a peer is another rank of the world: peer=" + peer + " rank=" + rank + " worldSize=" + worldSize);
        }
    }

    static void checkRoot(int root, int worldSize) {
        if (root < 0 || root >= worldSize) {
            throw new IllegalArgumentException("root must be a rank: root=" + root + " worldSize=" + worldSize);
        }
    }
}
