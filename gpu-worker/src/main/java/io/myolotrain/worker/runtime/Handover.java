package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.worker.comm.Communicator;
import io.myolotrain.worker.comm.Communicator.FloatRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * Moves a job's state to where a new plan wants it, among the ranks of the transition group: members first, then departing
 * holders. Every rank calls {@link #run} at the same boundary and draws the same conclusions from the same exchanged words:
 *
 * <ol>
 *   <li>align: the newest committed step of any holder is the group's; a holder that is one behind holds that step's reduced
 *       gradient (nobody commits before all have it) and rolls forward;
 *   <li>when no holder is left, or a shard died with all its owners, everyone starts from a checkpoint or from the seed;
 *   <li>moments go, shard by shard in one global order, from a holder to each new owner that lacks them;
 *   <li>parameters are completed everywhere from the shards' holders, which also heals a step interrupted between commit and
 *       exchange;
 *   <li>everyone shows a checksum of its parameters. Who sees all of them knows that all are complete, and only then drops
 *       shards that it does not own any more: a rank that dies before leaves the old holders as they were.
 * </ol>
 *
 * At every moment a held shard is valid at the session's committed step.
 */
final class Handover {
    private static final int STATE_WORDS = 4;
    private static final int HEX = 16;

    private final Communicator group;
    private final Plan plan;
    private final JobSession session;
    private final StateRestore restore;
    private final Runnable rollForward;
    private final SortedMap<WorkerId, Rank> ranks;

    /** @param rollForward commits the session's reduced step */
    Handover(Communicator group, Plan plan, JobSession session, StateRestore restore, Runnable rollForward) {
        this.group = group;
        this.plan = plan;
        this.session = session;
        this.restore = restore;
        this.rollForward = rollForward;
        this.ranks = plan.ranks();
    }

    /** @return bytes of moments that this group moved or loaded, over all ranks */
    long run() {
        if (plan.resumeStep().isPresent()) {
            session.abandon();
        }
        List<Holder> holders = exchangeState();
        long newest = newestCommitted(holders);
        if (newest >= 0) {
            align(newest);
        }
        long[][] held = exchangeHeldShards(newest);
        if (newest < 0 || !everyShardIsHeld(held)) {
            return startAgain(newest);
        }
        List<Transfer> transfers = transfers(held);
        for (Transfer transfer : transfers) {
            carryOut(transfer);
        }
        completeParameters(held);
        if (!session.live()) {
            session.restored(newest, samplesAt(holders, newest));
        }
        compareParameters();
        session.shards().retain(ownedHere());
        return transfers.stream()
                .mapToLong(
                        t -> session.trainer().layout().shards().get(t.shard()).momentBytes())
                .sum();
    }

    private record Holder(boolean live, long committedStep, long samples) {}

    private List<Holder> exchangeState() {
        long data = Long.parseUnsignedLong(session.tokens().fingerprint().substring(0, HEX), HEX);
        long[] words =
                group.allGather(new long[] {session.live() ? 1 : 0, session.committedStep(), session.samples(), data});
        var holders = new ArrayList<Holder>();
        for (int at = 0; at < words.length; at += STATE_WORDS) {
            if (words[at + 3] != data) {
                throw new HandoverRefused("all workers of a job must read the same data: rank " + at / STATE_WORDS
                        + " has another corpus than rank " + group.rank() + " under "
                        + session.spec().data());
            }
            holders.add(new Holder((words[at] & 1) != 0, words[at + 1], words[at + 2]));
        }
        return holders;
    }

    private static long newestCommitted(List<Holder> holders) {
        return holders.stream()
                .filter(Holder::live)
                .mapToLong(Holder::committedStep)
                .max()
                .orElse(-1);
    }

    private static long samplesAt(List<Holder> holders, long step) {
        return holders.stream()
                .filter(h -> h.live() && h.committedStep() == step)
                .mapToLong(Holder::samples)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("some holder stands at the newest step: step=" + step));
    }

    private void align(long newest) {
        if (!session.live()) {
            return;
        }
        if (session.committedStep() == newest) {
            session.discardReduced();
        } else if (session.committedStep() == newest - 1 && session.reducedStep() != null) {
            rollForward.run();
        } else {
            throw new IllegalStateException("a holder is at most one step behind and holds its gradient: committed="
                    + session.committedStep() + " newest=" + newest + " reduced=" + session.reducedStep());
        }
    }

    private long[][] exchangeHeldShards(long newest) {
        long[] mine = newest >= 0 && session.live() ? session.shards().bitmap() : new long[words()];
        long[][] byRank = new long[group.worldSize()][mine.length];
        for (int from = 0; from < mine.length; from += Communicator.SMALL_WORDS_MAX) {
            int length = Math.min(Communicator.SMALL_WORDS_MAX, mine.length - from);
            long[] part = new long[length];
            System.arraycopy(mine, from, part, 0, length);
            long[] all = group.allGather(part);
            for (int rank = 0; rank < byRank.length; rank++) {
                System.arraycopy(all, rank * length, byRank[rank], from, length);
            }
        }
        return byRank;
    }

    private int words() {
        return (shardCount() + Long.SIZE - 1) / Long.SIZE;
    }

    private int shardCount() {
        return session.trainer().layout().shards().size();
    }

    private boolean everyShardIsHeld(long[][] held) {
        for (int shard = 0; shard < shardCount(); shard++) {
            if (source(held, shard) < 0) {
                return false;
            }
        }
        return true;
    }

    /** The rank that speaks for a shard: holders take turns, so that no single one sends everything. */
    private static int source(long[][] held, int shard) {
        int ranks = held.length;
        for (int turn = 0; turn < ranks; turn++) {
            int rank = (shard + turn) % ranks;
            if (ShardStore.bit(held[rank], shard)) {
                return rank;
            }
        }
        return -1;
    }

    private record Transfer(int shard, int from, int to) {}

    private List<Transfer> transfers(long[][] held) {
        var transfers = new ArrayList<Transfer>();
        for (int shard = 0; shard < shardCount(); shard++) {
            for (WorkerId owner : plan.shardMap().owners().get(shard)) {
                int to = rankOf(owner);
                if (!ShardStore.bit(held[to], shard)) {
                    transfers.add(new Transfer(shard, source(held, shard), to));
                }
            }
        }
        return transfers;
    }

    private int rankOf(WorkerId owner) {
        Rank rank = ranks.get(owner);
        if (rank == null) {
            throw new IllegalStateException(
                    "an owner must be a member of its plan: owner=" + owner + " generation=" + plan.generation());
        }
        return rank.value();
    }

    private void carryOut(Transfer transfer) {
        if (group.rank() == transfer.from()) {
            group.send(session.shards().bytes(transfer.shard()), transfer.to());
        } else if (group.rank() == transfer.to()) {
            ByteBuffer arriving = session.shards().newBuffer(transfer.shard());
            group.recv(arriving, transfer.from());
            session.shards().accept(transfer.shard(), arriving);
        }
    }

    private void completeParameters(long[][] held) {
        var ranges = new ArrayList<List<FloatRange>>();
        for (int rank = 0; rank < group.worldSize(); rank++) {
            ranges.add(new ArrayList<>());
        }
        for (var shard : session.trainer().layout().shards()) {
            ranges.get(source(held, shard.index())).add(new FloatRange(shard.offset(), shard.length()));
        }
        group.allGather(session.trainer().parameters(), ranges);
    }

    /** A recovery that ends with different models is worse than one that fails: compare before going on. */
    private void compareParameters() {
        long[] checksums = group.allGather(new long[] {session.parametersChecksum(), session.committedStep()});
        for (int at = 2; at < checksums.length; at++) {
            if (checksums[at] != checksums[at % 2]) {
                throw new HandoverRefused("all ranks must hold the same parameters after a handover: generation="
                        + plan.generation() + " checksum, step by rank=" + Arrays.toString(checksums));
            }
        }
    }

    private Set<Integer> ownedHere() {
        var owned = new TreeSet<Integer>();
        for (int shard = 0; shard < shardCount(); shard++) {
            for (WorkerId owner : plan.shardMap().owners().get(shard)) {
                if (rankOf(owner) == group.rank()) {
                    owned.add(shard);
                }
            }
        }
        return owned;
    }

    /** @param newest committed step that cannot be continued because a shard is lost, or -1 when nobody held state */
    private long startAgain(long newest) {
        session.shards().clear();
        for (int shard : ownedHere()) {
            session.shards().accept(shard, session.shards().newBuffer(shard));
        }
        long loaded = restore.restore(group, plan, session, newest);
        compareParameters();
        return loaded;
    }
}
