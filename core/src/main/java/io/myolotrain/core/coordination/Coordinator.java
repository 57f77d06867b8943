package io.myolotrain.core.coordination;

import io.myolotrain.core.planning.Planner;

/**
 * The decisions of a pool, as a pure function of its state and the next journal entry. Never throws for anything that an
 * outsider can put into an event; a plan that breaks its own rules is a bug and does throw. One thread per instance.
 */
public final class Coordinator {
    private final StateHasher hasher = new StateHasher();
    private final Replanner replanner = new Replanner(new Planner());
    private final boolean holdsBack;

    public Coordinator() {
        this(true);
    }

    /** @param holdsBack workers that flap; not where somebody kills the same ones over and over, to see what happens */
    public Coordinator(boolean holdsBack) {
        this.holdsBack = holdsBack;
    }

    /** @param state after the decision */
    public record Outcome(Decision decision, ClusterState state) {}

    public Decision decide(ClusterState state, JournalEntry entry) {
        return process(state, entry).decision();
    }

    /** The same as {@link #decide}, with the state that {@link ClusterState#apply(Decision)} would give. */
    public Outcome process(ClusterState state, JournalEntry entry) {
        var draft = new Draft(state, entry.atMs(), holdsBack);
        if (entry.offset() <= state.lastOffset()) {
            draft.stale("journal", "offset " + entry.offset() + " is decided already: last=" + state.lastOffset());
        } else {
            entry.event().fold(new EventDispatch(draft, replanner));
            draft.settlePhases();
        }
        ClusterState next = draft.state().at(entry.offset());
        var decision = new Decision(
                entry.offset(), entry.id(), entry.atMs(), Planner.VERSION, hasher.hash(next), draft.facts());
        return new Outcome(decision, next);
    }
}
