package io.myolotrain.cli.demo;

import io.myolotrain.cli.output.Units;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;

/** What the demo says about its job in one line: step, loss, speed, generation, workers, the last change's stall. */
final class ProgressLine {
    private static final long WINDOW_MS = 5_000; // over which speed is averaged

    private final Deque<Mark> marks = new ArrayDeque<>();
    private volatile Optional<Fact.PlanActivated> lastChange = Optional.empty();

    private record Mark(long atMs, long samples) {}

    /** Called on the reader's thread. */
    void decided(Decision decision) {
        for (Fact fact : decision.facts()) {
            if (fact instanceof Fact.PlanActivated activated) {
                lastChange = Optional.of(activated);
            }
        }
    }

    /** @param nowMs any clock that only grows */
    String of(ClusterState state, JobId id, long nowMs) {
        Optional<JobState> found = state.job(id);
        if (found.isEmpty()) {
            return "job " + id + " waits for the coordinator";
        }
        JobState job = found.get();
        long tokensPerSecond = tokensPerSecond(job, nowMs);
        String stall = lastChange
                .filter(change -> change.job().equals(id) && change.stallMicros() > 0)
                .map(change -> "  last stall " + Units.millis(change.stallMicros()))
                .orElse("");
        return String.format(
                Locale.ROOT,
                "%s  step %,d/%,d  loss %s  %,d tokens/s  generation %s  workers %d of %d%s",
                job.phase(),
                job.committedStep(),
                job.desired().maxSteps(),
                Units.loss(job.lastLoss()),
                tokensPerSecond,
                job.active().map(plan -> plan.generation().toString()).orElse("-"),
                job.active().map(Plan::worldSize).orElse(0),
                state.workers().size(),
                stall);
    }

    private long tokensPerSecond(JobState job, long nowMs) {
        marks.addLast(new Mark(nowMs, job.samples()));
        while (marks.size() > 2 && nowMs - marks.getFirst().atMs > WINDOW_MS) {
            marks.removeFirst();
        }
        Mark first = marks.getFirst();
        long millis = nowMs - first.atMs;
        long samples = Math.max(0, job.samples() - first.samples); // a roll-back takes samples back
        return millis == 0 ? 0 : samples * job.spec().model().sequenceLength() * 1_000 / millis;
    }
}
