package io.myolotrain.core.audit;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.encoding.CanonicalCodec;
import io.myolotrain.core.model.PoolId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Folds a pool's journal again and compares each decision with the recorded one, byte by byte in canonical encoding. Takes
 * the entries in journal order; stops being meaningful after the first difference, because all later states differ too.
 */
public final class ReplayAudit {
    private final Coordinator coordinator = new Coordinator();
    private final CanonicalCodec codec = new CanonicalCodec();
    private ClusterState state;
    private long compared;

    public ReplayAudit(PoolId pool) {
        state = ClusterState.empty(pool);
    }

    /**
     * The first decision that is not what the rules of this release say.
     *
     * @param what which part differs, for people
     */
    public record Difference(JournalEntry entry, Decision recorded, Decision replayed, String what) {}

    /** @param recorded the decision in the log for this entry */
    public Optional<Difference> check(JournalEntry entry, Decision recorded) {
        Coordinator.Outcome outcome = coordinator.process(state, entry);
        state = outcome.state();
        compared++;
        Decision replayed = outcome.decision();
        if (Arrays.equals(encoded(recorded), encoded(replayed))) {
            return Optional.empty();
        }
        return Optional.of(new Difference(entry, recorded, replayed, what(recorded, replayed)));
    }

    public long compared() {
        return compared;
    }

    /** State after the last entry. */
    public ClusterState state() {
        return state;
    }

    private byte[] encoded(Decision decision) {
        return codec.encode(decision, Decision.class);
    }

    private static String what(Decision recorded, Decision replayed) {
        if (!recorded.plannerVersion().equals(replayed.plannerVersion())) {
            return "planner version: recorded " + recorded.plannerVersion() + ", this release "
                    + replayed.plannerVersion();
        }
        List<Fact> was = recorded.facts();
        List<Fact> is = replayed.facts();
        for (int i = 0; i < Math.min(was.size(), is.size()); i++) {
            if (!was.get(i).equals(is.get(i))) {
                return "fact " + (i + 1) + " of " + was.size();
            }
        }
        if (was.size() != is.size()) {
            return "number of facts: recorded " + was.size() + ", replayed " + is.size();
        }
        return "state hash: recorded " + recorded.stateHash() + ", replayed " + replayed.stateHash();
    }
}
