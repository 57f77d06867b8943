package io.myolotrain.core.audit;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.JournalEntry;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Decides a journal again, with these rules or others, and compares what comes out with what was decided then. */
public final class ReplayAudit {
    private final Rules rules;

    /** How an entry is decided; {@code new Coordinator()::process} for the rules of this release. */
    @FunctionalInterface
    public interface Rules {
        Coordinator.Outcome process(ClusterState state, JournalEntry entry);
    }

    /**
     * The first decision that comes out differently.
     *
     * @param differences for people: where, what was recorded, what came out now
     */
    public record Divergence(long offset, String eventId, List<String> differences) {
        public Divergence {
            differences = List.copyOf(differences);
        }
    }

    /** @param compared decisions that were compared, the differing one included */
    public record Report(long compared, Optional<Divergence> divergence) {}

    public ReplayAudit(Rules rules) {
        this.rules = rules;
    }

    /**
     * Folds the journal and hands on each decision.
     *
     * @return the state after the last entry
     */
    public ClusterState fold(ClusterState from, Iterable<JournalEntry> journal, Consumer<Decision> each) {
        ClusterState state = from;
        for (JournalEntry entry : journal) {
            Coordinator.Outcome outcome = rules.process(state, entry);
            each.accept(outcome.decision());
            state = outcome.state();
        }
        return state;
    }

    /**
     * Decides the journal again up to the last recorded decision, both in the order of their offsets, and stops at the
     * first difference: what follows has other premises. A decision without facts is not recorded, so an entry without a
     * record must be decided without facts again. The version of the rules is no difference, what they decide is.
     */
    public Report compare(ClusterState from, Iterable<JournalEntry> journal, Iterable<Decision> recorded) {
        ClusterState state = from;
        Iterator<JournalEntry> entries = journal.iterator();
        long compared = 0;
        for (Decision then : recorded) {
            compared++;
            Decision now;
            do {
                if (!entries.hasNext()) {
                    return diverged(compared, then, List.of("the journal ends before this decision"));
                }
                Coordinator.Outcome outcome = rules.process(state, entries.next());
                now = outcome.decision();
                state = outcome.state();
            } while (now.offset() < then.offset() && now.facts().isEmpty());
            List<String> differences = differences(then, now);
            if (!differences.isEmpty()) {
                return diverged(compared, now.offset() < then.offset() ? now : then, differences);
            }
        }
        return new Report(compared, Optional.empty());
    }

    private static Report diverged(long compared, Decision decision, List<String> differences) {
        return new Report(compared, Optional.of(new Divergence(decision.offset(), decision.eventId(), differences)));
    }

    private static List<String> differences(Decision recorded, Decision replayed) {
        var found = new ArrayList<String>();
        if (recorded.offset() != replayed.offset()) {
            found.addAll(RecordDiff.between("offset", recorded.offset(), replayed.offset()));
        }
        found.addAll(RecordDiff.between("event id", recorded.eventId(), replayed.eventId()));
        found.addAll(RecordDiff.between("facts", recorded.facts(), replayed.facts()));
        if (found.isEmpty()) {
            // Same facts, other state: the facts' meaning has changed, or the state before was another.
            found.addAll(RecordDiff.between("state hash", recorded.stateHash(), replayed.stateHash()));
        }
        return found;
    }
}
