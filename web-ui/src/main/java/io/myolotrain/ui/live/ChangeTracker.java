package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Follows configuration changes, whoever asked for them, from publication to the step at which they hold. */
final class ChangeTracker {
    static final int CHANGES_MAX = 500; // the oldest is forgotten; the event list and the topic still have it

    private final Map<String, ChangeView> changes = new LinkedHashMap<>();

    /** A change that this server has published. The log may have been faster: what is known stays. */
    ChangeView published(String eventId, String job, SortedMap<String, String> asked, String requestedBy, long atMs) {
        ChangeView known = changes.get(eventId);
        if (known != null) {
            return known;
        }
        ChangeView change = ChangeView.published(eventId, job, asked, requestedBy, atMs);
        put(change);
        return change;
    }

    /** @return the changes that moved on */
    List<ChangeView> apply(Decision decision) {
        var moved = new ArrayList<ChangeView>();
        for (Fact fact : decision.facts()) {
            if (fact instanceof Fact.ConfigAccepted f) {
                moved.add(accepted(decision, f));
            } else if (fact instanceof Fact.Refused f) {
                update(
                        moved,
                        c -> c.eventId().equals(decision.eventId()) && c.open(),
                        c -> c.refused(f.refusals(), decision.atMs()));
            } else if (fact instanceof Fact.PlanIssued f) {
                String job = f.plan().job().value();
                update(
                        moved,
                        c -> c.job().equals(job)
                                && (c.status() == ChangeView.Status.ACCEPTED
                                        || c.status() == ChangeView.Status.PLANNED),
                        c -> c.planned(f.plan().generation().value(), f.plan().reason(), decision.atMs()));
            } else if (fact instanceof Fact.PlanWithdrawn f) {
                update(
                        moved,
                        c -> c.job().equals(f.job().value())
                                && c.status() == ChangeView.Status.PLANNED
                                && Long.valueOf(f.generation().value()).equals(c.generation()),
                        c -> c.withdrawn(f.reason()));
            } else if (fact instanceof Fact.PlanActivated f) {
                activated(decision, f, moved);
            }
        }
        return moved;
    }

    Optional<ChangeView> get(String eventId) {
        return Optional.ofNullable(changes.get(eventId));
    }

    /** Newest first. */
    List<ChangeView> newest(int limit) {
        var all = new ArrayList<>(changes.values());
        Collections.reverse(all);
        return List.copyOf(all.subList(0, Math.min(limit, all.size())));
    }

    /** Oldest first. */
    List<ChangeView> all() {
        return List.copyOf(changes.values());
    }

    void restore(List<ChangeView> kept) {
        kept.forEach(this::put);
    }

    void clear() {
        changes.clear();
    }

    private ChangeView accepted(Decision decision, Fact.ConfigAccepted fact) {
        ChangeView known = changes.get(decision.eventId());
        ChangeView before = known != null
                ? known
                : ChangeView.published(decision.eventId(), fact.job().value(), fact.changes(), "", decision.atMs());
        ChangeView change = before.accepted(fact.changes(), decision.atMs());
        put(change);
        return change;
    }

    private void activated(Decision decision, Fact.PlanActivated fact, List<ChangeView> moved) {
        long generation = fact.generation().value();
        update(
                moved,
                c -> c.job().equals(fact.job().value())
                        && c.open()
                        && c.generation() != null
                        && c.generation() <= generation,
                c -> c.applied(generation, fact.firstStep(), fact.stallMicros(), fact.movedBytes(), decision.atMs()));
    }

    private void update(List<ChangeView> moved, Predicate<ChangeView> which, UnaryOperator<ChangeView> how) {
        changes.replaceAll((id, change) -> {
            if (!which.test(change)) {
                return change;
            }
            ChangeView next = how.apply(change);
            moved.add(next);
            return next;
        });
    }

    private void put(ChangeView change) {
        changes.put(change.eventId(), change);
        if (changes.size() > CHANGES_MAX) {
            changes.remove(changes.keySet().iterator().next());
        }
    }
}
