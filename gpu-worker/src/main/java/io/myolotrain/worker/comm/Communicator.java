package io.myolotrain.worker.comm;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The ranks of one generation and the collectives among them. Every rank calls the same operations in the same order; each
 * call returns when this rank's part is done and its result is complete. Buffers are direct, native byte order.
 *
 * <p>Any operation fails with {@link CollectiveFailedException} as soon as a peer is known dead, the deadline passes, or
 * {@link #abort} is called; after that the communicator is unusable and is closed.
 */
public interface Communicator extends AutoCloseable {
    int rank();

    int worldSize();

    /**
     * Sums over all leaves of the reduction's tree, in tree order: the same bits on every rank and for every placement.
     *
     * @param partials this rank's partial sums, one per node of its cover, each {@code result.remaining()} long; unchanged
     * @param result receives the sum; may not alias a partial
     */
    void allReduce(TreeReduction reduction, List<FloatBuffer> partials, FloatBuffer result);

    /** Every rank's few words, rank after rank: votes, hashes, sequence numbers. At most {@code SMALL_WORDS_MAX} each. */
    long[] allGather(long[] mine);

    int SMALL_WORDS_MAX = 512;

    /**
     * Completes {@code data} on every rank: before the call each rank's own ranges are valid, after it all are.
     *
     * @param rangesByRank disjoint ranges of floats per rank, the same list on every rank
     */
    void allGather(FloatBuffer data, List<List<FloatRange>> rangesByRank);

    /** @param data from position to limit: sent by {@code root}, overwritten elsewhere */
    void broadcast(ByteBuffer data, int root);

    /** Returns when {@code peer} has taken all of it in a {@link #recv} of the same length. */
    void send(ByteBuffer data, int peer);

    void recv(ByteBuffer data, int peer);

    default void barrier() {
        allGather(new long[] {0});
    }

    /** Makes a blocked and every later operation of this rank fail; from any thread, returns at once. */
    void abort(String reason);

    /** What this rank waits for, when it has waited for longer than a moment; from any thread. */
    Optional<Waiting> waiting();

    /**
     * The first {@code worldSize} ranks over the same connections, with sequence numbers of their own: ranks outside it may
     * leave without being taken for dead by it. Only the group's members (see {@link GroupSpec}) or all ranks can be
     * asked for. Closing or aborting the view does so to the whole group.
     */
    Communicator prefix(int worldSize);

    /** Frees what this rank holds. Never blocks on peers. */
    @Override
    void close();

    /** Floats {@code [offset, offset + length)}. */
    record FloatRange(int offset, int length) {}
}
