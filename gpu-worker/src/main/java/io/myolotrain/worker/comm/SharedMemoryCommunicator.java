package io.myolotrain.worker.comm;

import io.myolotrain.worker.comm.Signature.Operation;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ranks of one host over shared memory. Everything goes in rounds (see {@link Lane}); one round carries one area per rank,
 * longer buffers take several.
 *
 * <p>All-reduce has two shapes. <em>One shot</em>, for small buffers: everybody evaluates the whole sum from everybody's
 * partials, one meeting. <em>Direct</em>: everybody evaluates its own 1/P of the elements, two meetings. Elements are
 * independent, so both give the same bits.
 */
final class SharedMemoryCommunicator implements Communicator {
    private static final int SEGMENT_FLOATS_MULTIPLE = 16; // a cache line: no two ranks write one

    private final GroupHealth health;
    private final SharedRegion region;
    private final RegionLayout layout;
    private final WaitPolicy waiting;
    private final int oneShotMaxBytes;
    private final int rank;
    private final Lane lane;
    private final Drivers drivers;
    private final CollectiveGuard guard;
    private final TreeSum sum = new TreeSum();

    private long round;
    private final long[] piecesSent;
    private final long[] piecesTaken;
    private @Nullable SharedMemoryCommunicator membersView;

    SharedMemoryCommunicator(
            GroupHealth health,
            SharedRegion region,
            RegionLayout layout,
            int laneIndex,
            int rank,
            WaitPolicy waiting,
            int oneShotMaxBytes) {
        this.health = health;
        this.region = region;
        this.layout = layout;
        this.waiting = waiting;
        this.oneShotMaxBytes = oneShotMaxBytes;
        this.rank = rank;
        this.drivers = new Drivers(
                region.memory(), layout.arrived(laneIndex) + RegionLayout.DRIVER, rank, layout.ranks(laneIndex));
        this.guard = new CollectiveGuard(health, layout.ranks(laneIndex), drivers::gone);
        this.lane = new Lane(region.memory(), layout, laneIndex, rank, waiting, guard);
        this.piecesSent = new long[lane.ranks()];
        this.piecesTaken = new long[lane.ranks()];
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int worldSize() {
        return lane.ranks();
    }

    @Override
    public void allReduce(TreeReduction reduction, List<FloatBuffer> partials, FloatBuffer result) {
        CollectiveArguments.checkAllReduce(reduction, partials, result, rank, worldSize());
        int floats = result.remaining();
        int pieceFloats = pieceFloats(reduction);
        boolean oneShot = (long) floats * Float.BYTES <= oneShotMaxBytes && floats <= pieceFloats;
        begin("allReduce");
        try {
            for (int from = 0; from < floats; from += pieceFloats) {
                int length = Math.min(pieceFloats, floats - from);
                var piece = new Piece(reduction, partials, from, length);
                round++;
                if (oneShot) {
                    piece.give(0, length);
                    lane.meet(round, Signature.of(Operation.ALL_REDUCE, floats));
                    piece.evaluate(0, length, result);
                } else {
                    int mineFrom = Math.min(length, rank * segment(length));
                    int mineTo = Math.min(length, mineFrom + segment(length));
                    piece.give(0, mineFrom); // nobody else reads what this rank gives to its own segment
                    piece.give(mineTo, length);
                    lane.meet(round, Signature.of(Operation.ALL_REDUCE, floats));
                    piece.evaluate(mineFrom, mineTo, result);
                    int out = lane.out(round) / Float.BYTES;
                    int target = result.position() + from;
                    lane.floats().put(out + mineFrom, result, target + mineFrom, mineTo - mineFrom);
                    lane.meetReduced(round);
                    result.put(target, lane.floats(), out, mineFrom);
                    result.put(target + mineTo, lane.floats(), out + mineTo, length - mineTo);
                }
            }
        } finally {
            guard.end();
        }
    }

    private void begin(String operation) {
        guard.begin(operation);
        drivers.begin();
    }

    /** As many elements as the rank with the most partial sums can put into its area. */
    private int pieceFloats(TreeReduction reduction) {
        int slotsMax = 1;
        for (int peer = 0; peer < worldSize(); peer++) {
            slotsMax = Math.max(slotsMax, reduction.slotsOf(peer));
        }
        int piece = lane.areaBytes() / Float.BYTES / slotsMax / SEGMENT_FLOATS_MULTIPLE * SEGMENT_FLOATS_MULTIPLE;
        if (piece == 0) {
            throw new IllegalArgumentException(
                    "a rank's partial sums must fit its area: partials=" + slotsMax + " areaBytes=" + lane.areaBytes());
        }
        return piece;
    }

    private int segment(int length) {
        int segment = (length + worldSize() - 1) / worldSize();
        return (segment + SEGMENT_FLOATS_MULTIPLE - 1) / SEGMENT_FLOATS_MULTIPLE * SEGMENT_FLOATS_MULTIPLE;
    }

    /** Elements {@code [start, start + length)} of an all-reduce, on their way through this round's areas. */
    private final class Piece {
        private final TreeReduction reduction;
        private final List<FloatBuffer> partials;
        private final int start;
        private final int length;

        Piece(TreeReduction reduction, List<FloatBuffer> partials, int start, int length) {
            this.reduction = reduction;
            this.partials = partials;
            this.start = start;
            this.length = length;
        }

        /** Puts elements {@code [from, to)} of this rank's partial sums where the others can read them. */
        void give(int from, int to) {
            int area = lane.in(rank, round) / Float.BYTES;
            for (FloatBuffer partial : partials) {
                lane.floats().put(area + from, partial, partial.position() + start + from, to - from);
                area += length;
            }
        }

        /** Sums elements {@code [from, to)} of everybody's partial sums into {@code result}. */
        void evaluate(int from, int to, FloatBuffer result) {
            var slots = new FloatBuffer[reduction.slots()];
            int[] starts = new int[reduction.slots()];
            for (int peer = 0; peer < worldSize(); peer++) {
                int area = lane.in(peer, round) / Float.BYTES;
                int firstSlot = reduction.firstSlot().get(peer);
                for (int i = 0; i < reduction.slotsOf(peer); i++) {
                    boolean mine = peer == rank;
                    slots[firstSlot + i] = mine ? partials.get(i) : lane.floats();
                    starts[firstSlot + i] = mine ? partials.get(i).position() + start : area + i * length;
                }
            }
            sum.evaluate(reduction.program(), slots, starts, from, to, result, result.position() + start);
        }
    }

    @Override
    public long[] allGather(long[] mine) {
        CollectiveArguments.checkWords(mine);
        begin("allGather");
        try {
            round++;
            ByteBuffer memory = lane.memory();
            for (int i = 0; i < mine.length; i++) {
                memory.putLong(lane.in(rank, round) + i * Long.BYTES, mine[i]);
            }
            lane.meet(round, Signature.of(Operation.ALL_GATHER_WORDS, mine.length));
            long[] all = new long[worldSize() * mine.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = memory.getLong(lane.in(i / mine.length, round) + i % mine.length * Long.BYTES);
            }
            return all;
        } finally {
            guard.end();
        }
    }

    @Override
    public void allGather(FloatBuffer data, List<List<FloatRange>> rangesByRank) {
        CollectiveArguments.checkRanges(data, rangesByRank, worldSize());
        int pieceFloats = lane.areaBytes() / Float.BYTES;
        long longest = rangesByRank.stream().mapToLong(RangeStream::total).max().orElse(0);
        List<RangeStream> streams = new ArrayList<>();
        rangesByRank.forEach(ranges -> streams.add(new RangeStream(data, ranges)));
        begin("allGather");
        try {
            for (long from = 0; from < longest; from += pieceFloats) {
                round++;
                streams.get(rank).read(lane.floats(), lane.in(rank, round) / Float.BYTES, pieceFloats);
                lane.meet(round, Signature.of(Operation.ALL_GATHER_RANGES, longest));
                for (int peer = 0; peer < worldSize(); peer++) {
                    if (peer != rank) {
                        streams.get(peer).write(lane.floats(), lane.in(peer, round) / Float.BYTES, pieceFloats);
                    }
                }
            }
        } finally {
            guard.end();
        }
    }

    @Override
    public void broadcast(ByteBuffer data, int root) {
        CollectiveArguments.checkRoot(root, worldSize());
        begin("broadcast");
        try {
            int bytes = data.remaining();
            for (int from = 0; from < bytes; from += lane.areaBytes()) {
                int length = Math.min(lane.areaBytes(), bytes - from);
                round++;
                if (rank == root) {
                    lane.memory().put(lane.in(root, round), data, data.position() + from, length);
                }
                lane.meet(round, Signature.of(Operation.BROADCAST, bytes));
                if (rank != root) {
                    data.put(data.position() + from, lane.memory(), lane.in(root, round), length);
                }
            }
        } finally {
            guard.end();
        }
    }

    @Override
    public void send(ByteBuffer data, int peer) {
        CollectiveArguments.checkPeer(peer, rank, worldSize());
        begin("send to " + peer);
        try {
            int bytes = data.remaining();
            for (int from = 0; from < bytes; from += lane.postBytes()) {
                int length = Math.min(lane.postBytes(), bytes - from);
                long piece = ++piecesSent[peer];
                lane.awaitTaken(peer, piece - 2); // its parity is free again
                lane.memory().put(lane.post(rank, piece), data, data.position() + from, length);
                lane.sent(peer, piece, bytes);
            }
            lane.awaitTaken(peer, piecesSent[peer]); // the next message may go to another peer through the same memory
        } finally {
            guard.end();
        }
    }

    @Override
    public void recv(ByteBuffer data, int peer) {
        CollectiveArguments.checkPeer(peer, rank, worldSize());
        begin("recv from " + peer);
        try {
            int bytes = data.remaining();
            for (int from = 0; from < bytes; from += lane.postBytes()) {
                int length = Math.min(lane.postBytes(), bytes - from);
                long piece = ++piecesTaken[peer];
                long sentBytes = lane.awaitSent(peer, piece);
                if (sentBytes != bytes) {
                    throw guard.failure(
                            "sender and receiver must agree on the length: sent=" + sentBytes + " expected=" + bytes,
                            List.of(peer));
                }
                data.put(data.position() + from, lane.memory(), lane.post(peer, piece), length);
                lane.taken(peer, piece);
            }
        } finally {
            guard.end();
        }
    }

    @Override
    public Communicator prefix(int worldSize) {
        if (worldSize == worldSize()) {
            return this;
        }
        if (worldSize != layout.members() || rank >= worldSize) {
            throw new IllegalArgumentException("only members may ask for the members' view: asked=" + worldSize
                    + " members=" + layout.members() + " rank=" + rank);
        }
        if (membersView == null) {
            membersView = new SharedMemoryCommunicator(health, region, layout, 1, rank, waiting, oneShotMaxBytes);
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
}
