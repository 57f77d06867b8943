package io.myolotrain.worker.comm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Ranks on several hosts over LibTorch's Gloo. Gloo only carries bytes here: it adds in an order of its own, so sums are
 * evaluated in tree order by {@link TreeSum} as everywhere, and have the bits that shared memory gives.
 *
 * <p>Small buffers: one all-gather of the partial sums, everybody evaluates all. Large ones: an all-to-all gives each rank
 * its segment of every partial sum, an all-gather spreads the segments' sums.
 *
 * <p>When a rank dies in an operation, another may still complete it: over a network the answer to "did all arrive" is not
 * the same everywhere. The step loop compares committed steps for that reason.
 */
final class GlooCommunicator implements Communicator {
    private static final int PIECE_BYTES = 4 * 1_024 * 1_024;

    private final GroupHealth health;
    private final List<GlooGroup> groups;
    private final GroupSpec spec;
    private final int rank;
    private final int worldSize;
    private final CollectiveGuard guard;
    private final GlooWork work;
    private final TreeSum sum = new TreeSum();
    private @Nullable GlooCommunicator membersView;

    GlooCommunicator(GroupHealth health, List<GlooGroup> groups, int index, GroupSpec spec) {
        this.health = health;
        this.groups = groups;
        this.spec = spec;
        this.rank = spec.rank();
        this.worldSize = index == 0 ? spec.worldSize() : spec.members();
        this.guard = new CollectiveGuard(health, worldSize, rank -> false);
        this.work = new GlooWork(groups.get(index), guard, rank);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int worldSize() {
        return worldSize;
    }

    @Override
    public void allReduce(TreeReduction reduction, List<FloatBuffer> partials, FloatBuffer result) {
        CollectiveArguments.checkAllReduce(reduction, partials, result, rank, worldSize);
        int floats = result.remaining();
        int pieceFloats = Math.max(1, PIECE_BYTES / Float.BYTES / reduction.slots());
        boolean oneShot = (long) floats * Float.BYTES <= spec.thresholds().oneShotMaxBytes() && floats <= pieceFloats;
        guard.begin("allReduce");
        try {
            for (int from = 0; from < floats; from += pieceFloats) {
                int length = Math.min(pieceFloats, floats - from);
                try (PointerScope scope = new PointerScope()) {
                    if (oneShot) {
                        evaluateAll(reduction, partials, length, result);
                    } else {
                        evaluateSegment(reduction, partials, from, length, result);
                    }
                }
            }
        } finally {
            guard.end();
        }
    }

    private void evaluateAll(TreeReduction reduction, List<FloatBuffer> partials, int length, FloatBuffer result) {
        int[] slotsByRank = slotsByRank(reduction);
        int slotsMax = Arrays.stream(slotsByRank).max().orElse(1);
        FloatTensor mine =
                new FloatTensor((long) slotsMax * length); // every rank gives as much as the one with the most
        for (int i = 0; i < partials.size(); i++) {
            mine.floats().put(i * length, partials.get(i), partials.get(i).position(), length);
        }
        FloatTensor all = new FloatTensor((long) worldSize * slotsMax * length);
        work.allGather(all.tensor(), mine.tensor());
        int[] starts = new int[reduction.slots()];
        for (int peer = 0, slot = 0; peer < worldSize; peer++) {
            for (int i = 0; i < slotsByRank[peer]; i++) {
                starts[slot++] = (peer * slotsMax + i) * length;
            }
        }
        evaluate(reduction, all.floats(), starts, length, result, result.position());
    }

    private void evaluateSegment(
            TreeReduction reduction, List<FloatBuffer> partials, int from, int length, FloatBuffer result) {
        int segment = (length + worldSize - 1) / worldSize;
        FloatTensor give = new FloatTensor((long) partials.size() * length);
        long[] giveSizes = new long[worldSize];
        int at = 0;
        for (int peer = 0; peer < worldSize; peer++) {
            int start = Math.min(length, peer * segment);
            int size = Math.min(length, start + segment) - start;
            for (FloatBuffer partial : partials) {
                give.floats().put(at, partial, partial.position() + from + start, size);
                at += size;
            }
            giveSizes[peer] = (long) partials.size() * size;
        }
        int mine = Math.max(0, Math.min(length - rank * segment, segment));
        FloatTensor take = new FloatTensor((long) reduction.slots() * mine);
        long[] takeSizes = Arrays.stream(slotsByRank(reduction))
                .mapToLong(slots -> (long) slots * mine)
                .toArray();
        work.allToAll(take.tensor(), give.tensor(), takeSizes, giveSizes);

        int[] starts = new int[reduction.slots()];
        Arrays.setAll(starts, slot -> slot * mine);
        FloatTensor segmentSum = new FloatTensor(segment);
        evaluate(reduction, take.floats(), starts, mine, segmentSum.floats(), 0);
        FloatTensor sums = new FloatTensor((long) worldSize * segment);
        work.allGather(sums.tensor(), segmentSum.tensor());
        result.put(result.position() + from, sums.floats(), 0, length);
    }

    private int[] slotsByRank(TreeReduction reduction) {
        int[] slots = new int[worldSize];
        Arrays.setAll(slots, reduction::slotsOf);
        return slots;
    }

    private void evaluate(
            TreeReduction reduction,
            FloatBuffer source,
            int[] starts,
            int length,
            FloatBuffer target,
            int targetStart) {
        var slots = new FloatBuffer[starts.length];
        Arrays.fill(slots, source);
        sum.evaluate(reduction.program(), slots, starts, 0, length, target, targetStart);
    }

    @Override
    public long[] allGather(long[] mine) {
        CollectiveArguments.checkWords(mine);
        guard.begin("allGather");
        try (PointerScope scope = new PointerScope()) {
            ByteTensor give = new ByteTensor((long) mine.length * Long.BYTES);
            give.bytes().asLongBuffer().put(mine);
            ByteTensor all = new ByteTensor((long) worldSize * mine.length * Long.BYTES);
            work.allGather(all.tensor(), give.tensor());
            long[] words = new long[worldSize * mine.length];
            all.bytes().asLongBuffer().get(words);
            return words;
        } finally {
            guard.end();
        }
    }

    @Override
    public void allGather(FloatBuffer data, List<List<FloatRange>> rangesByRank) {
        CollectiveArguments.checkRanges(data, rangesByRank, worldSize);
        long longest = rangesByRank.stream().mapToLong(RangeStream::total).max().orElse(0);
        List<RangeStream> streams = new ArrayList<>();
        rangesByRank.forEach(ranges -> streams.add(new RangeStream(data, ranges)));
        int pieceFloats = Math.max(1, PIECE_BYTES / Float.BYTES / worldSize);
        guard.begin("allGather");
        try {
            for (long from = 0; from < longest; from += pieceFloats) {
                int length = (int) Math.min(pieceFloats, longest - from);
                try (PointerScope scope = new PointerScope()) {
                    FloatTensor give = new FloatTensor(length);
                    streams.get(rank).read(give.floats(), 0, length);
                    FloatTensor all = new FloatTensor((long) worldSize * length);
                    work.allGather(all.tensor(), give.tensor());
                    for (int peer = 0; peer < worldSize; peer++) {
                        if (peer != rank) {
                            streams.get(peer).write(all.floats(), peer * length, length);
                        }
                    }
                }
            }
        } finally {
            guard.end();
        }
    }

    @Override
    public void broadcast(ByteBuffer data, int root) {
        CollectiveArguments.checkRoot(root, worldSize);
        guard.begin("broadcast");
        try {
            pieces(data, (piece, tensor) -> {
                if (rank == root) {
                    tensor.bytes().put(0, piece, piece.position(), piece.remaining());
                }
                work.broadcast(tensor.tensor(), root);
                if (rank != root) {
                    piece.put(piece.position(), tensor.bytes(), 0, piece.remaining());
                }
            });
        } finally {
            guard.end();
        }
    }

    @Override
    public void send(ByteBuffer data, int peer) {
        CollectiveArguments.checkPeer(peer, rank, worldSize);
        guard.begin("send to " + peer);
        try {
            pieces(data, (piece, tensor) -> {
                tensor.bytes().put(0, piece, piece.position(), piece.remaining());
                work.send(tensor.tensor(), peer);
            });
        } finally {
            guard.end();
        }
    }

    @Override
    public void recv(ByteBuffer data, int peer) {
        CollectiveArguments.checkPeer(peer, rank, worldSize);
        guard.begin("recv from " + peer);
        try {
            pieces(data, (piece, tensor) -> {
                work.recv(tensor.tensor(), peer);
                piece.put(piece.position(), tensor.bytes(), 0, piece.remaining());
            });
        } finally {
            guard.end();
        }
    }

    private interface Piece {
        void pass(ByteBuffer piece, ByteTensor tensor);
    }

    private static void pieces(ByteBuffer data, Piece body) {
        for (int at = data.position(); at < data.limit(); at += PIECE_BYTES) {
            ByteBuffer piece = data.duplicate();
            piece.limit(Math.min(data.limit(), at + PIECE_BYTES)).position(at);
            try (PointerScope scope = new PointerScope()) {
                body.pass(piece, new ByteTensor(piece.remaining()));
            }
        }
    }

    @Override
    public Communicator prefix(int asked) {
        if (asked == worldSize) {
            return this;
        }
        if (asked != spec.members() || rank >= asked) {
            throw new IllegalArgumentException("only members may ask for the members' view: asked=" + asked
                    + " members=" + spec.members() + " rank=" + rank);
        }
        if (membersView == null) {
            membersView = new GlooCommunicator(health, groups, 1, spec);
        }
        return membersView;
    }

    @Override
    public Optional<Waiting> waiting() {
        return Optional.ofNullable(health.waiting());
    }

    @Override
    public void abort(String reason) {
        health.end("aborted: " + reason, List.of());
    }

    @Override
    public void close() {
        health.close();
    }

    /** A tensor of Gloo's own and Java's view of it: an abandoned operation may still write there. */
    private record ByteTensor(Tensor tensor, ByteBuffer bytes) {
        ByteTensor(long size) {
            this(torch.zeros(new long[] {size}, new org.bytedeco.pytorch.TensorOptions(torch.ScalarType.Byte)), size);
        }

        private ByteTensor(Tensor tensor, long size) {
            this(tensor, view(tensor, size));
        }

        private static ByteBuffer view(Tensor tensor, long size) {
            if (size == 0) {
                return ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder());
            }
            return new BytePointer(tensor.data_ptr()).limit(size).asByteBuffer().order(ByteOrder.nativeOrder());
        }
    }

    private record FloatTensor(Tensor tensor, FloatBuffer floats) {
        FloatTensor(long size) {
            this(torch.zeros(new long[] {size}, new org.bytedeco.pytorch.TensorOptions(torch.ScalarType.Float)), size);
        }

        private FloatTensor(Tensor tensor, long size) {
            this(tensor, ByteTensor.view(tensor, size * Float.BYTES).asFloatBuffer());
        }
    }
}
