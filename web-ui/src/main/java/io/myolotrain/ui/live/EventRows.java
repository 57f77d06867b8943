package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.ui.live.EventRow.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells a fact as a sentence. Progress and timers are state, not news: they have no row. */
final class EventRows implements Fact.Cases<Optional<EventRow>> {
    private final Decision decision;
    private final int index;

    private EventRows(Decision decision, int index) {
        this.decision = decision;
        this.index = index;
    }

    static List<EventRow> of(Decision decision) {
        var rows = new ArrayList<EventRow>();
        for (int i = 0; i < decision.facts().size(); i++) {
            decision.facts().get(i).fold(new EventRows(decision, i)).ifPresent(rows::add);
        }
        return rows;
    }

    @Override
    public Optional<EventRow> refused(Fact.Refused fact) {
        String reason =
                fact.refusals().stream().map(r -> r.rule() + ": " + r.value()).collect(Collectors.joining("; "));
        return row(
                "refused",
                Tone.BAD,
                About.job(jobIn(fact.subject())),
                "Refused: " + fact.subject(),
                reason,
                fact.refusals());
    }

    @Override
    public Optional<EventRow> jobAccepted(Fact.JobAccepted fact) {
        JobSpec spec = fact.spec();
        return row(
                "job accepted",
                Tone.GOOD,
                About.job(spec.job()),
                "Job " + spec.job() + " accepted: " + spec.model().family() + ", "
                        + spec.model().layers() + " layers, hidden "
                        + spec.model().hidden() + ", seed " + spec.seed(),
                "");
    }

    @Override
    public Optional<EventRow> configAccepted(Fact.ConfigAccepted fact) {
        return row(
                "change accepted",
                Tone.GOOD,
                About.job(fact.job()),
                "Change accepted: " + settings(fact.changes()),
                "");
    }

    @Override
    public Optional<EventRow> workerAdmitted(Fact.WorkerAdmitted fact) {
        WorkerInfo worker = fact.worker();
        return row(
                "worker joined",
                Tone.GOOD,
                About.worker(worker.ref()),
                "Worker " + worker.ref() + " joined from " + worker.host(),
                "");
    }

    @Override
    public Optional<EventRow> workerDrainStarted(Fact.WorkerDrainStarted fact) {
        return row(
                "worker draining",
                Tone.WARNING,
                About.worker(fact.worker()),
                "Worker " + fact.worker() + " asks to be planned out",
                fact.reason());
    }

    @Override
    public Optional<EventRow> workerRemoved(Fact.WorkerRemoved fact) {
        return row(
                "worker removed",
                Tone.WARNING,
                About.worker(fact.worker()),
                "Worker " + fact.worker() + " removed",
                fact.reason());
    }

    @Override
    public Optional<EventRow> faultNoted(Fact.FaultNoted fact) {
        return row(
                "fault injected",
                Tone.WARNING,
                new About(null, null, null),
                "Fault injected: " + fact.fault() + " " + String.join(", ", fact.targets()),
                fact.detail());
    }

    @Override
    public Optional<EventRow> workerHeldBack(Fact.WorkerHeldBack fact) {
        return row(
                "worker held back",
                Tone.WARNING,
                About.worker(fact.worker()),
                "Worker " + fact.worker() + " is held back",
                fact.reason());
    }

    @Override
    public Optional<EventRow> workersSuspected(Fact.WorkersSuspected fact) {
        if (fact.suspects().isEmpty()) {
            return Optional.empty(); // what follows from it has a row of its own
        }
        return row(
                "workers suspected",
                Tone.WARNING,
                About.job(fact.job()),
                "Few members of " + fact.job() + " suspect many; they are waited for: " + fact.suspects(),
                fact.reason());
    }

    @Override
    public Optional<EventRow> workerExcluded(Fact.WorkerExcluded fact) {
        return row(
                "worker excluded",
                Tone.WARNING,
                new About(fact.job(), fact.worker(), null),
                "Worker " + fact.worker() + " is not planned for " + fact.job() + " until the job's next change",
                fact.reason());
    }

    @Override
    public Optional<EventRow> planIssued(Fact.PlanIssued fact) {
        Plan plan = fact.plan();
        return row(
                "plan issued",
                Tone.NEUTRAL,
                new About(plan.job(), null, plan.generation()),
                "Generation " + plan.generation() + " planned: " + plan.worldSize() + " workers (dp "
                        + plan.mesh().dp() + " × tp " + plan.mesh().tp() + " × pp "
                        + plan.mesh().pp() + "), batch " + plan.config().globalBatch() + ", "
                        + bytes(fact.movedBytes()) + " to move (least possible " + bytes(fact.lowerBoundBytes()) + ")",
                plan.reason());
    }

    @Override
    public Optional<EventRow> planWithdrawn(Fact.PlanWithdrawn fact) {
        return row(
                "plan withdrawn",
                Tone.BAD,
                new About(fact.job(), null, fact.generation()),
                "Plan of generation " + fact.generation() + " withdrawn",
                fact.reason());
    }

    @Override
    public Optional<EventRow> generationBroken(Fact.GenerationBroken fact) {
        return row(
                "generation broken",
                Tone.BAD,
                new About(fact.job(), null, fact.generation()),
                "The ranks of generation " + fact.generation() + " lost their communicator",
                fact.reason());
    }

    @Override
    public Optional<EventRow> planActivated(Fact.PlanActivated fact) {
        return row(
                "plan applied",
                Tone.GOOD,
                new About(fact.job(), null, fact.generation()),
                "Generation " + fact.generation() + " applied at step " + fact.firstStep() + ", stall "
                        + String.format(Locale.ROOT, "%.1f ms", fact.stallMicros() / 1_000.0) + ", "
                        + bytes(fact.movedBytes()) + " moved",
                "");
    }

    @Override
    public Optional<EventRow> progressRecorded(Fact.ProgressRecorded fact) {
        return Optional.empty();
    }

    @Override
    public Optional<EventRow> checkpointRecorded(Fact.CheckpointRecorded fact) {
        return row(
                "checkpoint",
                Tone.NEUTRAL,
                About.job(fact.job()),
                "Checkpoint of step " + fact.step() + " written, " + bytes(fact.bytes()) + ", " + fact.directory(),
                "");
    }

    @Override
    public Optional<EventRow> phaseChanged(Fact.PhaseChanged fact) {
        return row(
                "phase",
                fact.to() == JobPhase.WAITING ? Tone.WARNING : Tone.NEUTRAL,
                About.job(fact.job()),
                fact.job() + ": " + fact.from() + " → " + fact.to(),
                fact.reason());
    }

    @Override
    public Optional<EventRow> staleIgnored(Fact.StaleIgnored fact) {
        return row("stale ignored", Tone.NEUTRAL, About.job(null), "Ignored " + fact.subject(), fact.reason());
    }

    @Override
    public Optional<EventRow> timerSet(Fact.TimerSet fact) {
        return Optional.empty();
    }

    @Override
    public Optional<EventRow> timerCleared(Fact.TimerCleared fact) {
        return Optional.empty();
    }

    private record About(
            @Nullable JobId job,
            @Nullable WorkerRef worker,
            @Nullable Generation generation) {
        static About job(@Nullable JobId job) {
            return new About(job, null, null);
        }

        static About worker(WorkerRef worker) {
            return new About(null, worker, null);
        }
    }

    private Optional<EventRow> row(String kind, Tone tone, About about, String text, String reason) {
        return row(kind, tone, about, text, reason, List.of());
    }

    private Optional<EventRow> row(
            String kind, Tone tone, About about, String text, String reason, List<Refusal> refusals) {
        return Optional.of(new EventRow(
                decision.offset() + "-" + index,
                decision.offset(),
                index,
                decision.atMs(),
                decision.eventId(),
                kind,
                tone,
                about.job == null ? null : about.job.value(),
                about.worker == null ? null : about.worker.toString(),
                about.generation == null ? null : about.generation.value(),
                text,
                reason,
                refusals));
    }

    private static String bytes(long n) {
        if (n < 1 << 10) {
            return n + " B";
        }
        return n < 1 << 20
                ? String.format(Locale.ROOT, "%.1f KiB", n / 1024.0)
                : String.format(Locale.ROOT, "%.1f MiB", n / 1048576.0);
    }

    private static String settings(SortedMap<String, String> changes) {
        return changes.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(" "));
    }

    /** A refusal's subject names what was refused; when that is a job, the row belongs to it. */
    private static @Nullable JobId jobIn(String subject) {
        try {
            return new JobId(subject.startsWith("job ") ? subject.substring("job ".length()) : subject);
        } catch (IllegalArgumentException notAJob) {
            return null;
        }
    }
}
