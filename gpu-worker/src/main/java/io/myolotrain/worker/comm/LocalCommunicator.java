package io.myolotrain.worker.comm;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The world of one rank: sums its own partials in the same order, and has nobody to wait for. */
public final class LocalCommunicator implements Communicator {
    private final TreeSum sum = new TreeSum();
    private volatile @Nullable String abortReason;
    private long sequence;

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public int worldSize() {
        return 1;
    }

    @Override
    public void allReduce(TreeReduction reduction, List<FloatBuffer> partials, FloatBuffer result) {
        begin("allReduce");
        CollectiveArguments.checkAllReduce(reduction, partials, result, 0, 1);
        int[] starts = partials.stream().mapToInt(FloatBuffer::position).toArray();
        sum.evaluate(
                reduction.program(),
                partials.toArray(FloatBuffer[]::new),
                starts,
                0,
                result.remaining(),
                result,
                result.position());
    }

    @Override
    public long[] allGather(long[] mine) {
        begin("allGather");
        CollectiveArguments.checkWords(mine);
        return mine.clone();
    }

    @Override
    public void allGather(FloatBuffer data, List<List<FloatRange>> rangesByRank) {
        begin("allGather");
        CollectiveArguments.checkRanges(data, rangesByRank, 1);
    }

    @Override
    public void broadcast(ByteBuffer data, int root) {
        begin("broadcast");
        CollectiveArguments.checkRoot(root, 1);
    }

    @Override
    public void send(ByteBuffer data, int peer) {
        CollectiveArguments.checkPeer(peer, 0, 1);
    }

    @Override
    public void recv(ByteBuffer data, int peer) {
        CollectiveArguments.checkPeer(peer, 0, 1);
    }

    @Override
    public Communicator prefix(int worldSize) {
        if (worldSize != 1) {
            throw new IllegalArgumentException("a world of one rank has no other prefix: worldSize=" + worldSize);
        }
        return this;
    }

    private void begin(String operation) {
        sequence++;
        String reason = abortReason;
        if (reason != null) {
            throw new CollectiveFailedException(operation, sequence, List.of(), reason);
        }
    }

    @Override
    public Optional<Waiting> waiting() {
        return Optional.empty();
    }

    @Override
    public void abort(String reason) {
        abortReason = reason;
    }

    @Override
    public void close() {
        abortReason = "closed";
    }
}
