package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Whom to believe when members say of each other that they are gone. Whoever half of the members or more can do without
 * goes at once. When fewer accuse more, all wait for {@link #VERDICT_MS}: a member that was cut off or slept sees everybody
 * gone, and giving up the others on its word would throw committed steps away. Members that report the break live; those
 * that are named and say nothing are removed when the time is up.
 */
final class Suspicions {
    /** Members notice a break within milliseconds of each other; their reports pass the broker. */
    static final long VERDICT_MS = 2_000;

    private final Draft draft;
    private final Replanner replanner;
    private final MembershipHandler membership;

    Suspicions(Draft draft, Replanner replanner, MembershipHandler membership) {
        this.draft = draft;
        this.replanner = replanner;
        this.membership = membership;
    }

    static boolean serves(Draft draft, WorkerRef ref, JobId job) {
        return draft.state().isLive(ref)
                && draft.state().worker(ref.id()).flatMap(PoolWorker::job).equals(Optional.of(job));
    }

    private static String timer(JobId job, Generation generation) {
        return "verdict:" + job + ":" + generation;
    }

    /** Members of this generation are accused, and the report is news to that. */
    boolean waits(JobState job, Event.CollectiveFailed report) {
        return job.accusation()
                .filter(a -> a.generation().equals(report.generation()))
                .filter(a -> !a.heard().contains(report.worker()))
                .isPresent();
    }

    /** @param suspects members that serve the job, without the reporter */
    void judge(JobState job, Plan plan, Event.CollectiveFailed report, List<WorkerRef> suspects, String reason) {
        long members = plan.participants().stream()
                .map(WorkerInfo::ref)
                .filter(ref -> serves(draft, ref, job.id()))
                .count();
        boolean fewAccuseMany = suspects.size() > members - suspects.size();
        if (suspects.isEmpty() || fewAccuseMany) {
            await(job, report, suspects);
            return;
        }
        end(job);
        membership.removeAndReplan(
                suspects, "suspected by " + report.worker() + " in generation " + report.generation() + ": " + reason);
    }

    private void await(JobState job, Event.CollectiveFailed report, List<WorkerRef> suspects) {
        Optional<Accusation> before =
                job.accusation().filter(a -> a.generation().equals(report.generation()));
        var heard = new ArrayList<WorkerRef>(before.map(Accusation::heard).orElse(List.of()));
        if (!heard.contains(report.worker())) {
            heard.add(report.worker());
        }
        var named = new TreeSet<WorkerRef>(before.map(Accusation::suspects).orElse(List.of()));
        named.addAll(suspects);
        heard.forEach(named::remove);
        String timer = timer(job.id(), report.generation());
        long untilMs = draft.state().timers().getOrDefault(timer, draft.atMs() + VERDICT_MS);
        draft.add(new Fact.WorkersSuspected(
                job.id(), report.generation(), heard, List.copyOf(named), untilMs, draft.cause()));
        if (named.isEmpty()) {
            end(draft.job(job.id()));
            replanner.replan(draft, job.id());
        } else if (!draft.state().timers().containsKey(timer)) {
            draft.add(new Fact.TimerSet(timer, untilMs));
        }
    }

    private void end(JobState job) {
        job.accusation()
                .ifPresent(a -> draft.add(new Fact.WorkersSuspected(
                        job.id(), a.generation(), a.heard(), List.of(), draft.atMs(), draft.cause())));
        String prefix = "verdict:" + job.id() + ":";
        draft.state().timers().keySet().stream()
                .filter(timer -> timer.startsWith(prefix))
                .toList()
                .forEach(timer -> draft.add(new Fact.TimerCleared(timer)));
    }

    /** Answers whether the timer was that of an accusation. */
    boolean timeIsUp(String timer) {
        JobState job = draft.state().jobs().values().stream()
                .filter(j -> j.accusation()
                        .filter(a -> timer(j.id(), a.generation()).equals(timer))
                        .isPresent())
                .findFirst()
                .orElse(null);
        if (job == null) {
            return false;
        }
        Accusation accusation = job.accusation().orElseThrow();
        List<WorkerRef> silent = accusation.suspects().stream()
                .filter(ref -> serves(draft, ref, job.id()))
                .toList();
        draft.because("generation " + accusation.generation() + " broke, and of " + silent.size()
                + " suspected members none was heard for " + VERDICT_MS + " ms");
        end(job);
        if (silent.isEmpty()) {
            replanner.replan(draft, job.id());
        } else {
            membership.removeAndReplan(
                    silent,
                    "suspected by " + accusation.heard().get(0) + " in generation " + accusation.generation()
                            + " and not heard since");
        }
        return true;
    }
}
