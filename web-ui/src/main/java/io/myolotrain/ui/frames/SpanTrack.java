package io.myolotrain.ui.frames;

import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Spans;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the ranks did during the newest steps. */
public final class SpanTrack {
    static final int STEPS_MAX = 1_024; // the oldest is forgotten
    static final int SPANS_MAX = 1_000_000; // over all steps; then the oldest is forgotten too

    private final NavigableMap<Long, SortedMap<Integer, RankStep>> byStep = new TreeMap<>();
    private long spans;

    /** One rank's step. */
    record RankStep(int rank, String worker, long generation, long baseAtMicros, Spans spans) {}

    void add(Origin origin, Spans of) {
        long generation = origin.line().generation().value();
        SortedMap<Integer, RankStep> ranks = byStep.get(origin.step());
        if (ranks != null && !ranks.isEmpty()) {
            long held = ranks.values().iterator().next().generation;
            if (held > generation) {
                return;
            }
            if (held < generation) { // the step was run again
                forget(origin.step());
                ranks = null;
            }
        }
        if (ranks == null) {
            ranks = new TreeMap<>();
            byStep.put(origin.step(), ranks);
        }
        RankStep before = ranks.put(
                origin.rank(), new RankStep(origin.rank(), origin.worker().value(), generation, of.baseAtMicros(), of));
        spans += of.spans().size() - (before == null ? 0 : before.spans.spans().size());
        while (byStep.size() > STEPS_MAX || (spans > SPANS_MAX && byStep.size() > 1)) {
            forget(byStep.firstKey());
        }
    }

    private void forget(long step) {
        SortedMap<Integer, RankStep> gone = byStep.remove(step);
        if (gone != null) {
            spans -= gone.values().stream()
                    .mapToLong(r -> r.spans.spans().size())
                    .sum();
        }
    }

    FrameStore.Listed listed(String name) {
        return new FrameStore.Listed(name, "spans", byStep.size(), byStep.firstKey(), byStep.lastKey());
    }

    /** The steps up to {@code toStep}, at most so many. */
    public Timeline timeline(long toStep, int stepsMax) {
        var window = new TreeMap<Long, SortedMap<Integer, RankStep>>();
        for (var entry : byStep.headMap(toStep, true).descendingMap().entrySet()) {
            if (window.size() == stepsMax) {
                break;
            }
            window.put(entry.getKey(), entry.getValue());
        }
        return Timelines.of(window, byStep.isEmpty() ? 0 : byStep.firstKey(), byStep.isEmpty() ? 0 : byStep.lastKey());
    }
}
