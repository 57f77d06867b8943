package io.myolotrain.core.diagnosis;

import io.myolotrain.core.coordination.Activity;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.diagnosis.Finding.Severity;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Explains what a job is waiting for. Those who wait in a collective are never the cause: the cause is who has not arrived,
 * and among those it tells the silent (hung, unreachable) from the slow (alive, still computing).
 */
public final class JobDoctor {
    /** Two heartbeats may be late on a busy machine, not four. */
    public static final long SILENT_MILLIS = 2_000;

    /** Shorter waits are part of any step. */
    static final long WAIT_MIN_MILLIS = 500;

    /** Ranks with more micro-batches make the others wait; several steps' time is more than that. */
    static final int WAIT_STEPS = 3;

    private final ClusterState state;
    private final JobState job;
    private final Map<WorkerRef, Heard> heard;
    private final List<Finding> findings = new ArrayList<>();

    private JobDoctor(ClusterState state, JobState job, Map<WorkerRef, Heard> heard) {
        this.state = state;
        this.job = job;
        this.heard = heard;
    }

    /** @param heard by live worker; one without an entry was not heard for as long as anybody listened */
    public static List<Finding> examine(ClusterState state, JobState job, Map<WorkerRef, Heard> heard) {
        return new JobDoctor(state, job, heard).examine();
    }

    /** Whether one of the findings is why the job stands still. */
    public static boolean isHeldUp(List<Finding> findings) {
        return findings.stream().anyMatch(finding -> finding.severity() == Severity.CAUSE);
    }

    private List<Finding> examine() {
        if (job.phase() == JobPhase.WAITING || job.phase() == JobPhase.STARTING) {
            waiting();
        }
        job.pending().ifPresent(this::pending);
        job.active().ifPresent(this::active);
        if (!isHeldUp(findings)) {
            findings.add(Finding.aboutJob(Severity.FINE, healthy(), ""));
        }
        findings.sort(Comparator.comparing(Finding::severity).thenComparing(Finding::rank));
        return List.copyOf(findings);
    }

    private String healthy() {
        return "job " + job.id() + " is " + job.phase() + " at step " + job.committedStep() + " of "
                + job.desired().maxSteps() + "; nothing holds it up";
    }

    private void waiting() {
        if (job.pending().isPresent()) {
            return;
        }
        long free = state.workers().values().stream()
                .filter(worker -> !worker.draining() && worker.job().isEmpty())
                .filter(worker -> !job.excluded().containsKey(worker.ref()))
                .count();
        job.excluded()
                .forEach((worker, reason) -> findings.add(new Finding(
                        Severity.NOTE,
                        worker.id().value(),
                        -1,
                        "worker " + worker + " is left out: " + reason,
                        "Restart that worker when the reason is gone: a new incarnation is asked again.")));
        if (free == 0) {
            findings.add(Finding.aboutJob(
                    Severity.CAUSE,
                    "job " + job.id() + " waits for workers: pool " + state.pool() + " has "
                            + state.workers().size() + ", of which 0 are free for it",
                    "Start workers ('myolotrain worker --pool " + state.pool() + "'); the job goes on by itself."));
        } else if (job.plans().exhausted()) {
            findings.add(
                    Finding.aboutJob(
                            Severity.CAUSE,
                            "the last plans of job " + job.id() + " failed one after the other",
                            "See why with 'myolotrain log tail', then change the job or the pool: either starts a new attempt."));
        }
    }

    private void pending(Plan plan) {
        for (WorkerInfo participant : plan.participants()) {
            WorkerRef ref = participant.ref();
            silence(ref, rankOf(plan, ref), "generation " + plan.generation() + " waits for it to prepare");
        }
        if (job.active().isEmpty()) {
            findings.add(Finding.aboutJob(
                    Severity.NOTE,
                    "generation " + plan.generation() + " with " + plan.worldSize() + " workers is being prepared",
                    ""));
        }
    }

    private void active(Plan plan) {
        if (plan.generation().isAfter(job.plans().broken())) {
            collectives(plan);
        } else if (job.pending().isEmpty()) {
            findings.add(Finding.aboutJob(
                    Severity.CAUSE,
                    "the ranks of generation " + plan.generation()
                            + " lost their communicator, and no plan replaces it",
                    "Add workers or see the last decisions: 'myolotrain log tail'."));
        }
    }

    private void collectives(Plan plan) {
        var waits = new TreeMap<Integer, Activity.Waiting>();
        for (Plan.Member member : plan.members()) {
            waitOf(plan, member.worker().ref())
                    .ifPresent(wait -> waits.put(member.rank().value(), wait));
        }
        if (waits.isEmpty()) {
            for (Plan.Member member : plan.members()) {
                silence(member.worker().ref(), member.rank().value(), "its peers may soon wait for it");
            }
            return;
        }
        long sequence = waits.values().stream()
                .mapToLong(Activity.Waiting::sequence)
                .max()
                .orElseThrow();
        Activity.Waiting furthest = waits.values().stream()
                .filter(wait -> wait.sequence() == sequence)
                .findFirst()
                .orElseThrow();
        String collective = furthest.operation() + " #" + sequence + " of generation " + plan.generation();
        waits.forEach((rank, wait) -> findings.add(new Finding(
                Severity.NOTE,
                plan.members().get(rank).worker().ref().id().value(),
                rank,
                "rank " + rank + " (worker " + plan.members().get(rank).worker().ref() + ") waits in "
                        + wait.operation() + " #" + wait.sequence() + " for " + wait.millis() + " ms",
                "")));
        for (WorkerRef late : late(plan, waits, sequence)) {
            notArrived(plan, late, collective);
        }
    }

    /** Who is named by those who wait, without those who wait there themselves; where nobody is named, all others. */
    private Set<WorkerRef> late(Plan plan, Map<Integer, Activity.Waiting> waits, long sequence) {
        var named = new TreeSet<WorkerRef>();
        waits.values().forEach(wait -> named.addAll(wait.late()));
        if (named.isEmpty()) {
            plan.participants().forEach(participant -> named.add(participant.ref()));
        }
        waits.forEach((rank, wait) -> {
            if (wait.sequence() == sequence) {
                named.remove(plan.members().get(rank).worker().ref());
            }
        });
        return named;
    }

    private void notArrived(Plan plan, WorkerRef worker, String collective) {
        int rank = rankOf(plan, worker);
        String who = "rank " + rank + " (worker " + worker + ")";
        Heard last = heard.get(worker);
        if (!state.isLive(worker)) {
            findings.add(new Finding(
                    Severity.CAUSE,
                    worker.id().value(),
                    rank,
                    who + " has not arrived at " + collective + ": it has left the pool",
                    "A plan without it follows by itself; 'myolotrain log tail' shows it."));
        } else if (last == null || last.ageMillis() > SILENT_MILLIS) {
            findings.add(
                    new Finding(
                            Severity.CAUSE,
                            worker.id().value(),
                            rank,
                            who + " has not arrived at " + collective + " and has been silent for " + age(last)
                                    + ": its process hangs, or its machine cannot be reached",
                            "Its peers give it up when their deadline passes, and go on without it; or end the process yourself."));
        } else {
            long since = last.activity().map(Activity::sinceCommitMillis).orElse(0L);
            findings.add(new Finding(
                    Severity.CAUSE,
                    worker.id().value(),
                    rank,
                    who + " has not arrived at " + collective + ": it is alive and has worked on its step for " + since
                            + " ms",
                    "It is slow, not dead: look at the load of its machine; fewer workers there would help."));
        }
    }

    private void silence(WorkerRef worker, int rank, String consequence) {
        Heard last = heard.get(worker);
        if (state.isLive(worker) && (last == null || last.ageMillis() > SILENT_MILLIS)) {
            findings.add(new Finding(
                    job.pending().isPresent() ? Severity.CAUSE : Severity.NOTE,
                    worker.id().value(),
                    rank,
                    "worker " + worker + " has been silent for " + age(last) + "; " + consequence,
                    "Look whether its process and its connection to the broker work."));
        }
    }

    private static String age(@Nullable Heard last) {
        return last == null ? "longer than anybody listened" : last.ageMillis() + " ms";
    }

    private Optional<Activity.Waiting> waitOf(Plan plan, WorkerRef worker) {
        return Optional.ofNullable(heard.get(worker))
                .filter(last -> last.ageMillis() <= SILENT_MILLIS)
                .flatMap(Heard::activity)
                .filter(activity -> activity.generation().equals(plan.generation()))
                .flatMap(activity -> activity.waiting()
                        .filter(wait ->
                                wait.millis() >= Math.max(WAIT_MIN_MILLIS, WAIT_STEPS * activity.stepMillis())));
    }

    private static int rankOf(Plan plan, WorkerRef worker) {
        return plan.member(worker).map(member -> member.rank().value()).orElse(-1);
    }
}
