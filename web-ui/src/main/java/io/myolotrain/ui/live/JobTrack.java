package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.ui.live.JobView.GenerationMark;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the page wants to know of one attempt beyond its state: when things happened, and how fast. */
final class JobTrack {
    static final int GENERATIONS_MAX = 256; // marks on the axis; the oldest is forgotten

    private static final long RATE_WINDOW_MS = 1_000; // short: a change of workers shows at once
    private static final long ETA_WINDOW_MS = 10_000; // long: the time left does not jump about

    final JobSpec spec;
    final @Nullable Long acceptedAtMs; // null when the log does not reach back so far
    final Throughput samplesPerSecond = new Throughput(RATE_WINDOW_MS);
    final Throughput stepsPerSecond = new Throughput(ETA_WINDOW_MS);
    private final ArrayDeque<GenerationMark> generations = new ArrayDeque<>();
    String phaseReason = "";

    @Nullable Long lastStepAtMs;

    long checkpointAtMs;

    JobTrack(JobSpec spec, @Nullable Long acceptedAtMs) {
        this.spec = spec;
        this.acceptedAtMs = acceptedAtMs;
    }

    static JobTrack of(Kept.Track kept) {
        var track = new JobTrack(kept.spec(), kept.acceptedAtMs().orElse(null));
        track.lastStepAtMs = kept.lastStepAtMs().orElse(null);
        track.checkpointAtMs = kept.checkpointAtMs();
        track.phaseReason = kept.phaseReason();
        track.generations.addAll(kept.generations());
        return track;
    }

    Kept.Track kept() {
        return new Kept.Track(
                spec,
                Optional.ofNullable(acceptedAtMs),
                Optional.ofNullable(lastStepAtMs),
                checkpointAtMs,
                phaseReason,
                generations());
    }

    void progress(Fact.ProgressRecorded fact, long atMs) {
        lastStepAtMs = atMs;
        samplesPerSecond.add(atMs, fact.samples());
        stepsPerSecond.add(atMs, fact.step());
    }

    void activated(Fact.PlanActivated fact, int workers, String reason, long atMs, long offset) {
        generations.addLast(new GenerationMark(
                fact.generation().value(),
                fact.firstStep(),
                atMs,
                offset,
                fact.stallMicros(),
                fact.movedBytes(),
                workers,
                reason));
        if (generations.size() > GENERATIONS_MAX) {
            generations.removeFirst();
        }
    }

    /** What was known at a journal offset; rates are not. */
    JobTrack asOf(long offset) {
        var past = new JobTrack(spec, acceptedAtMs);
        generations.stream().filter(mark -> mark.offset() <= offset).forEach(past.generations::addLast);
        past.checkpointAtMs = checkpointAtMs;
        return past;
    }

    List<GenerationMark> generations() {
        return List.copyOf(generations);
    }

    double tokensPerSecond() {
        return samplesPerSecond.perSecond() * spec.model().sequenceLength();
    }
}
