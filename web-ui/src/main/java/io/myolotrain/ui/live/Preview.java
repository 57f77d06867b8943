package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.ui.live.PreviewView.Outcome;
import io.myolotrain.ui.live.PreviewView.Setting;
import io.myolotrain.ui.live.PreviewView.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks the coordinator's own rules and planner what they would decide. A pure function of the state, so that it may run on
 * any thread; planning for a thousand workers takes a tenth of a second.
 */
public final class Preview {
    private Preview() {}

    public static PreviewView of(
            ClusterState state, JobId id, SortedMap<String, String> changes, String requestedBy, long atMs) {
        var entry = new JournalEntry(
                state.lastOffset() + 1, "preview", atMs, new Event.ConfigChangeRequested(id, changes, requestedBy));
        Coordinator.Outcome outcome = new Coordinator().process(state, entry);
        Optional<JobState> job = state.job(id);
        Shape before = job.flatMap(JobState::active).map(Preview::shape).orElse(null);
        for (Fact fact : outcome.decision().facts()) {
            if (fact instanceof Fact.Refused refused) {
                String rules = refused.refusals().stream()
                        .map(r -> r.rule() + ": " + r.value())
                        .collect(Collectors.joining("; "));
                return new PreviewView(
                        Outcome.REFUSED,
                        "refused because " + rules,
                        refused.refusals(),
                        List.of(),
                        before,
                        null,
                        0,
                        0,
                        state.lastOffset());
            }
        }
        return accepted(state, job.orElseThrow(), outcome, before);
    }

    private static PreviewView accepted(
            ClusterState state, JobState job, Coordinator.Outcome outcome, @Nullable Shape before) {
        TrainingConfig now = job.desired();
        TrainingConfig then =
                outcome.state().job(job.id()).map(JobState::desired).orElse(now);
        List<Setting> settings = settings(now, then);
        Optional<Fact.PlanIssued> issued = issued(outcome.decision(), job.id());
        if (issued.isPresent()) {
            Fact.PlanIssued plan = issued.get();
            Shape after = shape(plan.plan());
            return new PreviewView(
                    Outcome.PLANNED,
                    sentence(settings, before, after, plan.movedBytes()),
                    List.of(),
                    settings,
                    before,
                    after,
                    plan.movedBytes(),
                    plan.lowerBoundBytes(),
                    state.lastOffset());
        }
        boolean waits = job.pending().isPresent();
        String what = said(settings);
        String sentence = waits
                ? what + ": accepted; follows generation " + job.pending().get().generation()
                        + ", which is being prepared"
                : what + ": accepted; no plan " + (job.completed() ? "is left to make" : "is possible or needed now");
        return new PreviewView(
                waits ? Outcome.WAITS : Outcome.ACCEPTED,
                sentence,
                List.of(),
                settings,
                before,
                null,
                0,
                0,
                state.lastOffset());
    }

    private static Optional<Fact.PlanIssued> issued(Decision decision, JobId id) {
        return decision.facts().stream()
                .filter(Fact.PlanIssued.class::isInstance)
                .map(Fact.PlanIssued.class::cast)
                .filter(f -> f.plan().job().equals(id))
                .findFirst();
    }

    private static Shape shape(Plan plan) {
        return new Shape(
                plan.generation().value(),
                plan.worldSize(),
                plan.config().globalBatch(),
                plan.members().stream()
                        .mapToInt(m -> m.microBatches().count())
                        .max()
                        .orElse(0),
                plan.members().stream().map(m -> m.worker().ref().id().value()).toList());
    }

    private static List<Setting> settings(TrainingConfig now, TrainingConfig then) {
        SortedMap<String, String> before = JobViews.config(now);
        var changed = new ArrayList<Setting>();
        JobViews.config(then).forEach((key, value) -> {
            String was = before.getOrDefault(key, "");
            if (!was.equals(value)) {
                changed.add(new Setting(key, was, value));
            }
        });
        return changed;
    }

    private static String sentence(List<Setting> settings, @Nullable Shape before, Shape after, long movedBytes) {
        if (before == null) {
            return said(settings) + ": starts on " + after.workers() + " workers, accumulation " + after.accumulation();
        }
        String workers = before.workers() == after.workers()
                ? after.workers() + " workers stay"
                : before.workers() + " → " + after.workers() + " workers";
        String accumulation = before.accumulation() == after.accumulation()
                ? "accumulation stays " + after.accumulation()
                : "accumulation " + before.accumulation() + " → " + after.accumulation();
        String others = settings.stream()
                .filter(s -> !s.key().equals("workers"))
                .map(s -> ", " + s.key() + " " + s.from() + " → " + s.to())
                .collect(Collectors.joining());
        return workers + ": " + accumulation + others + ", "
                + (movedBytes == 0 ? "nothing moves" : megabytes(movedBytes) + " MB move");
    }

    private static String said(List<Setting> settings) {
        return settings.isEmpty()
                ? "nothing changes"
                : settings.stream()
                        .map(s -> s.key() + " " + s.from() + " → " + s.to())
                        .collect(Collectors.joining(", "));
    }

    private static String megabytes(long bytes) {
        double megabytes = bytes / 1e6;
        return String.format(Locale.ROOT, megabytes < 10 ? "%.1f" : "%.0f", megabytes);
    }
}
