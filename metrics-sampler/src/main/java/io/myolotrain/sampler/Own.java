package io.myolotrain.sampler;

import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Origin;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * What was dropped of each job since the last flush: it becomes a reading of the job's line, so that whoever looks at a chart
 * sees that something is missing in it.
 */
final class Own {
    static final WorkerId WORKER = new WorkerId("sampler");
    /** Readings are named {@code sampler.dropped.REASON}. */
    static final String DROPPED = "sampler.dropped.";
    /** Jobs come from outside; of more than these only the process counts. */
    static final int JOBS_MAX = 1_024;

    private final Map<SeriesTable.JobKey, Map<String, Dropped>> byJob = new TreeMap<>();

    private record Dropped(Origin latest, long count) {}

    void dropped(Origin origin, String reason, long count) {
        var job = SeriesTable.JobKey.of(origin.line());
        if (byJob.size() >= JOBS_MAX && !byJob.containsKey(job)) {
            return;
        }
        byJob.computeIfAbsent(job, j -> new TreeMap<>())
                .merge(reason, new Dropped(origin, count), (a, b) -> new Dropped(b.latest(), a.count() + b.count()));
    }

    /** Hands over name and count of each reason with the place of its latest drop, once. */
    void drain(BiConsumer<Origin, Map.Entry<String, Long>> take) {
        var now = new TreeMap<>(byJob);
        byJob.clear();
        now.values()
                .forEach(reasons -> reasons.forEach((reason, dropped) -> take.accept(
                        new Origin(
                                dropped.latest().line(),
                                dropped.latest().step(),
                                WORKER,
                                0,
                                dropped.latest().atMs()),
                        Map.entry(DROPPED + reason, dropped.count()))));
    }
}
