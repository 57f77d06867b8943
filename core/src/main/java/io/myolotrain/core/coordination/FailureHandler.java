package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.planning.Quote;
import java.util.List;
import java.util.Optional;

/** What goes wrong: plans that cannot be prepared, collectives that break, deadlines that pass. */
final class FailureHandler {
    private static final int TARGETS_MAX = 64; // as many as a person reads

    private final Draft draft;
    private final Replanner replanner;
    private final MembershipHandler membership;
    private final Suspicions suspicions;

    FailureHandler(Draft draft, Replanner replanner, MembershipHandler membership) {
        this.draft = draft;
        this.replanner = replanner;
        this.membership = membership;
        this.suspicions = new Suspicions(draft, replanner, membership);
    }

    /** A joiner that cannot prepare is left out; when a member cannot, the joiners are, as the old world works without them. */
    void planFailed(Event.PlanFailed event) {
        JobState job = CurrentJob.of(draft, event.job(), event.attempt(), event.generation())
                .orElse(null);
        if (job == null) {
            return;
        }
        Plan pending = job.pending()
                .filter(p -> p.generation().equals(event.generation()))
                .orElse(null);
        if (pending == null
                || !pending.involves(event.worker())
                || !draft.state().isLive(event.worker())) {
            draft.stale(
                    event.job().value(), "generation " + event.generation() + " is not pending on " + event.worker());
            return;
        }
        String reason = Quote.sentence(event.reason());
        List<WorkerRef> gone = event.gone().stream()
                .distinct()
                .filter(ref -> pending.involves(ref) && draft.state().isLive(ref))
                .toList();
        if (!gone.isEmpty()) {
            draft.because("generation " + event.generation() + " waits for dead workers: " + reason);
            membership.removeAndReplan(
                    gone, "found dead while generation " + event.generation() + " formed: " + reason);
            return;
        }
        draft.because("worker " + event.worker() + " cannot prepare generation " + event.generation() + ": " + reason);
        if (joiners(job, pending).contains(event.worker())) {
            draft.add(new Fact.WorkerExcluded(event.job(), event.worker(), reason));
        } else {
            exclude(event.job(), joinersToLeaveOut(job, pending), "members cannot prepare a plan with it: " + reason);
        }
        replanner.replanAtOnce(draft, event.job());
        replanner.settleAll(draft);
    }

    private void exclude(JobId job, List<WorkerRef> workers, String reason) {
        workers.forEach(worker -> draft.add(new Fact.WorkerExcluded(job, worker, reason)));
    }

    /** None where the old world is gone: then there is nothing to go back to, and the joiners are all that is left. */
    private List<WorkerRef> joinersToLeaveOut(JobState job, Plan pending) {
        return Replanner.oldWorldIsWhole(draft.state(), job) ? joiners(job, pending) : List.of();
    }

    private List<WorkerRef> joiners(JobState job, Plan pending) {
        return pending.members().stream()
                .map(Member::worker)
                .map(worker -> worker.ref())
                .filter(ref -> draft.state().isLive(ref))
                .filter(ref -> job.active()
                        .filter(active -> active.member(ref).isPresent())
                        .isEmpty())
                .toList();
    }

    /** One new plan per broken generation, without its suspects; a later report about it counts only if it tells more. */
    void collectiveFailed(Event.CollectiveFailed event) {
        JobState job = CurrentJob.of(draft, event.job(), event.attempt(), event.generation())
                .orElse(null);
        if (job == null) {
            return;
        }
        Plan plan = running(job, event.generation()).orElse(null);
        if (plan == null || !plan.involves(event.worker()) || !serves(event.worker(), event.job())) {
            draft.stale(event.job().value(), "generation " + event.generation() + " does not run on " + event.worker());
            return;
        }
        List<WorkerRef> suspects = event.suspects().stream()
                .distinct()
                .filter(ref -> !ref.equals(event.worker()) && plan.involves(ref) && serves(ref, event.job()))
                .toList();
        boolean known = !event.generation().isAfter(job.plans().broken());
        boolean tellsNothing = suspects.isEmpty() && !suspicions.waits(job, event);
        if (known && tellsNothing) {
            draft.stale(event.job().value(), "generation " + event.generation() + " is known to be broken");
            return;
        }
        String reason = Quote.sentence(event.reason());
        draft.because("a collective of generation " + event.generation() + " failed: " + reason);
        if (!known) {
            draft.add(new Fact.GenerationBroken(event.job(), event.generation(), reason));
        }
        if (tellsNothing) {
            replanner.replan(draft, event.job());
        } else {
            suspicions.judge(job, plan, event, suspects, reason);
        }
    }

    void faultInjected(Event.FaultInjected event) {
        String fault = Quote.of(event.fault());
        draft.because("fault injected: " + fault);
        draft.add(new Fact.FaultNoted(
                fault,
                event.targets().stream().limit(TARGETS_MAX).map(Quote::of).toList(),
                Quote.sentence(event.detail())));
    }

    private boolean serves(WorkerRef ref, JobId job) {
        return Suspicions.serves(draft, ref, job);
    }

    private static Optional<Plan> running(JobState job, Generation generation) {
        return job.active().filter(p -> p.generation().equals(generation)).or(() -> job.pending()
                .filter(p -> p.generation().equals(generation)));
    }

    void timerFired(Event.TimerFired event) {
        String timer = event.timer();
        boolean expected = draft.state().timers().containsKey(timer)
                && (membership.coolDownEnded(timer) || suspicions.timeIsUp(timer) || planIsLate(timer));
        if (!expected) {
            draft.stale(Quote.of(timer), "nothing waits for this timer");
        }
    }

    /**
     * A plan is not applied in time. It gets a second chance with twice the time, as slow is not dead; then its joiners are
     * left out if the old world works without them.
     */
    private boolean planIsLate(String timer) {
        JobState job = draft.state().jobs().values().stream()
                .filter(j -> j.pending()
                        .filter(p -> Replanner.timer(j.id(), p.generation()).equals(timer))
                        .isPresent())
                .findFirst()
                .orElse(null);
        if (job == null) {
            return false;
        }
        Plan pending = job.pending().orElseThrow();
        draft.because("generation " + pending.generation() + " was not applied in time");
        if (job.plans().attempts() > 1) {
            exclude(job.id(), joinersToLeaveOut(job, pending), draft.cause());
        }
        replanner.replanAtOnce(draft, job.id());
        replanner.settleAll(draft);
        return true;
    }
}
