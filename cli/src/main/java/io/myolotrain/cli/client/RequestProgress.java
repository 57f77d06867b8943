package io.myolotrain.cli.client;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The way of one request, as the decisions tell it:
 *
 * <pre>
 *  published ──> refused
 *      └───────> accepted ──> planned(generation) ──> applied(first step, stall)
 *                    │            └── withdrawn ──> accepted
 *                    └── nothing to plan: the job runs nowhere ──> settled
 * </pre>
 */
final class RequestProgress implements Consumer<Decision> {
    private final String eventId;
    private final JobId job;
    private final Consumer<String> told;

    private boolean accepted; // all guarded by this
    private List<Refusal> refusals = List.of();
    private Optional<Generation> planned = Optional.empty();
    private Optional<Fact.PlanActivated> applied = Optional.empty();

    /** @param told takes a line at each station; called on the reader's thread */
    RequestProgress(String eventId, JobId job, Consumer<String> told) {
        this.eventId = eventId;
        this.job = job;
        this.told = told;
    }

    @Override
    public synchronized void accept(Decision decision) {
        boolean answer = decision.eventId().equals(eventId);
        for (Fact fact : decision.facts()) {
            if (answer) {
                answered(fact);
            }
            if (accepted && applied.isEmpty()) {
                moved(fact);
            }
        }
        notifyAll();
    }

    private void answered(Fact fact) {
        if (fact instanceof Fact.Refused refused) {
            refusals = refused.refusals();
        } else if (fact instanceof Fact.ConfigAccepted change) {
            accepted = true;
            told.accept("accepted   " + FactText.changes(change.changes()));
        } else if (fact instanceof Fact.JobAccepted submitted) {
            accepted = true;
            told.accept("accepted   job " + submitted.spec().job());
        }
    }

    private void moved(Fact fact) {
        if (fact instanceof Fact.PlanIssued issued && issued.plan().job().equals(job)) {
            planned = Optional.of(issued.plan().generation());
            told.accept("planned    " + FactText.plan(issued));
        } else if (fact instanceof Fact.PlanWithdrawn withdrawn
                && withdrawn.job().equals(job)
                && planned.equals(Optional.of(withdrawn.generation()))) {
            planned = Optional.empty();
            told.accept("withdrawn  generation " + withdrawn.generation() + ": " + withdrawn.reason());
        } else if (fact instanceof Fact.PlanActivated activated
                && activated.job().equals(job)
                && planned.isPresent()
                && !planned.get().isAfter(activated.generation())) {
            applied = Optional.of(activated);
            told.accept("applied    " + FactText.activation(activated));
        }
    }

    /**
     * Waits until the request is refused or applied, or {@code settled} says that there is nothing more to wait for once it
     * is accepted, or the time is over.
     */
    synchronized Outcome await(long timeoutMs, BooleanSupplier settled) throws InterruptedException {
        long deadline = System.nanoTime() + timeoutMs * 1_000_000;
        while (!done(settled)) {
            long leftMs = (deadline - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                break;
            }
            wait(leftMs);
        }
        return new Outcome(accepted, refusals, planned, applied);
    }

    private boolean done(BooleanSupplier settled) {
        return !refusals.isEmpty() || applied.isPresent() || (accepted && settled.getAsBoolean());
    }

    record Outcome(
            boolean accepted,
            List<Refusal> refusals,
            Optional<Generation> planned,
            Optional<Fact.PlanActivated> applied) {}
}
