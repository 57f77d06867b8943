package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.model.PoolId;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The states of a partition's pools: each the fold of its decisions, here and in the store. */
final class Fold {
    private static final Logger LOG = LoggerFactory.getLogger(Fold.class);

    private final Rules rules;
    private final Wire wire;
    private final Counters counters;
    private final FoldLog log;
    private final int snapshotEvery;
    private final SortedMap<PoolId, ClusterState> states = new TreeMap<>();
    private final Set<PoolId> snapshotDue = new TreeSet<>();

    /** How entries become decisions, and states bytes. One thread. */
    interface Rules {
        Coordinator.Outcome process(ClusterState state, JournalEntry entry);

        byte[] encode(ClusterState state);

        ClusterState decode(byte[] state);
    }

    /** Starts from what the store holds. */
    Fold(Rules rules, Wire wire, KeyValueStore<String, byte[]> store, int snapshotEvery, Counters counters) {
        this.rules = rules;
        this.wire = wire;
        this.counters = counters;
        this.log = new FoldLog(store);
        this.snapshotEvery = snapshotEvery;
        log.recall().forEach((pool, kept) -> states.put(pool, restored(pool, kept)));
    }

    ClusterState state(PoolId pool) {
        return states.getOrDefault(pool, ClusterState.empty(pool));
    }

    /** Decides and moves on; when the rules throw, nothing has moved. */
    Decision decide(PoolId pool, JournalEntry entry) {
        Coordinator.Outcome outcome = rules.process(inThisJournal(pool, entry.offset()), entry);
        states.put(pool, outcome.state());
        return outcome.decision();
    }

    void keep(PoolId pool, Decision decision, byte[] encoded) {
        log.append(pool, decision.offset(), encoded);
        if (log.tailLength(pool) >= snapshotEvery || snapshotDue.remove(pool)) {
            log.snapshot(pool, decision.offset(), rules.encode(state(pool)));
        }
    }

    /**
     * Input offset and state commit together, so an offset comes back only when the journal was made anew, by hand or
     * with a lost disk. What the pool knows still holds; its events go on, under the new journal's offsets.
     */
    private ClusterState inThisJournal(PoolId pool, long offset) {
        ClusterState state = state(pool);
        if (offset > state.lastOffset()) {
            return state;
        }
        counters.count(Counters.JOURNAL_MADE_ANEW);
        LOG.atError()
                .addKeyValue("pool", pool)
                .addKeyValue("offset", offset)
                .addKeyValue("lastOffset", state.lastOffset())
                .log("journal was made anew: its older entries are gone, the pool's state goes on");
        snapshotDue.add(pool); // facts of the old journal would sort behind those of the new one
        return state.withLastOffset(offset - 1);
    }

    private ClusterState restored(PoolId pool, FoldLog.Kept kept) {
        ClusterState state = kept.snapshot()
                .map(snapshot -> rules.decode(snapshot.state()))
                .orElseGet(() -> ClusterState.empty(pool));
        for (byte[] facts : kept.tail().values()) {
            try {
                state = state.apply(wire.decision(facts));
            } catch (Wire.Unreadable e) {
                throw new IllegalStateException("what a fold kept must be readable by it: pool=" + pool, e);
            }
        }
        return state;
    }
}
