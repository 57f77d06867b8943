package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.ui.frames.FrameStore;
import io.myolotrain.ui.port.ClusterFeed;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Curves and pictures by run. What decisions tell is there of every run; what was measured only of those that somebody looks
 * at: asking for it is looking.
 */
final class Measurements {
    /** Loss by step, from the log of decisions itself: there even without a sampler. */
    static final String LOSS = "job.loss";

    static final String TOKENS_PER_SECOND = "job.tokensPerSecond";
    static final int BUCKET_BUDGET = 600_000; // ~60 MB
    /** Groups of metric names in one answer; what goes beyond is found by searching. */
    static final int GROUPS_MAX = 500;

    private final PoolId pool;
    private final Outbox outbox;
    private final SeriesStore series = new SeriesStore(BUCKET_BUDGET);
    private final Map<SeriesKey, Long> finestWidths = new HashMap<>(); // looked up only
    private final FrameStore frames = new FrameStore();
    private final Runs runs;

    Measurements(PoolId pool, Outbox outbox, LiveState.RunOpener opener, LongSupplier clockMs) {
        this.pool = pool;
        this.outbox = outbox;
        this.runs = new Runs(opener, clockMs);
    }

    void began(ClusterFeed.Run run, long atMs) {
        runs.began(run, atMs);
    }

    /** A generation runs from this step on: what earlier ones told of later steps is abandoned. */
    void cut(ClusterFeed.Run run, long generation, long firstStep) {
        series.cut(run.job().value(), run.attempt(), generation, firstStep);
    }

    /** Known from decisions: there without a sampler, and of every run. */
    static boolean isDecided(String name) {
        return name.equals(LOSS) || name.equals(TOKENS_PER_SECOND);
    }

    /** Known from a decision. */
    void decided(ClusterFeed.Run run, String name, Bucket bucket) {
        runs.active(run, bucket.atMs());
        add(new SeriesKey(run.job().value(), run.attempt(), name), bucket, true);
    }

    /** Roll-ups of several widths tell the same readings again: the finest counts. */
    void measured(MetricPoint point) {
        if (!point.pool().equals(pool)) {
            return;
        }
        var key = new SeriesKey(point.job().value(), point.attempt(), point.name());
        long finest = finestWidths.merge(key, point.width(), Math::min);
        if (point.width() == finest) {
            add(key, Bucket.of(point), !isPast(point.line()));
        }
        if (finestWidths.size() > SeriesStore.SERIES_MAX) {
            finestWidths.remove(key); // beyond the bound nothing is kept anyway
        }
    }

    private void add(SeriesKey key, Bucket bucket, boolean isNew) {
        if (!series.add(key, bucket)) {
            outbox.health();
        } else if (isNew) {
            outbox.point(key, bucket);
        }
    }

    void framed(MetricFrame frame) {
        Line line = frame.origin().line();
        if (!line.pool().equals(pool)) {
            return;
        }
        if (!frames.add(frame)) {
            outbox.health();
        } else if (!isPast(line)) {
            outbox.frame(
                    line.job().value(), frame.frame().name(), frame.origin().step());
        }
    }

    /** What a run's past holds is not told point by point: pages ask for all of it once it is read. */
    private boolean isPast(Line line) {
        return runs.unread(new ClusterFeed.Run(line.job(), line.attempt())).isPresent();
    }

    void reading(ClusterFeed.RunReading reading) {
        runs.reading(reading);
        outbox.run(reading);
    }

    /** What was measured of the run can be read again; what was decided of it stays. */
    void closed(ClusterFeed.Run run) {
        runs.closed(run);
        series.removeMeasured(run.job().value(), run.attempt());
        finestWidths
                .keySet()
                .removeIf(key ->
                        key.job().equals(run.job().value()) && key.attempt().equals(run.attempt()));
        frames.remove(run.job().value(), run.attempt());
        outbox.reset(); // a page that still shows it asks for it again
    }

    List<Kept.Curve> decidedCurves() {
        return series.decidedCurves();
    }

    List<Kept.Cut> cuts() {
        return series.keptCuts();
    }

    List<Kept.Extent> extents() {
        return runs.kept();
    }

    void restore(Kept kept) {
        series.restore(kept.curves(), kept.cuts());
        runs.restore(kept.extents());
    }

    void clear() {
        series.clear();
        finestWidths.clear();
        frames.clear();
        runs.clear();
    }

    SeriesView series(JobState job, String name, LiveState.Range range) {
        String attempt = range.attempt().isEmpty() ? job.spec().attempt() : range.attempt();
        var key = new SeriesKey(job.id().value(), attempt, name);
        SeriesView.Unread unread = isDecided(name) ? null : SeriesView.Unread.of(lookAt(job, attempt));
        Series of = series.get(key);
        return SeriesView.of(
                key,
                unread,
                of == null
                        ? SeriesWindow.EMPTY
                        : of.window(range.fromStep(), range.toStep(), range.pointsMax(), range.asOf()));
    }

    /** @return how far the run's past is read, empty when all of it is */
    private Optional<ClusterFeed.RunReading> lookAt(JobState job, String attempt) {
        var run = new ClusterFeed.Run(job.id(), attempt);
        boolean over = job.phase() == JobPhase.STOPPED || job.phase() == JobPhase.COMPLETED;
        runs.lookedAt(run, over || !job.spec().attempt().equals(attempt));
        return runs.unread(run);
    }

    /** Names that start with the prefix and contain the text, whatever its case, in order, after {@code after}. */
    SeriesView.Names names(JobState job, String prefix, String containing, String after, int limit) {
        String id = job.id().value();
        String attempt = job.spec().attempt();
        String needle = containing.toLowerCase(Locale.ROOT);
        SeriesView.Unread unread = SeriesView.Unread.of(lookAt(job, attempt));
        var matching = series.of(id, attempt).entrySet().stream()
                .filter(e -> e.getKey().name().startsWith(prefix)
                        && e.getKey().name().toLowerCase(Locale.ROOT).contains(needle))
                .toList();
        var groups = new TreeMap<String, Long>();
        for (var entry : matching) {
            int dot = entry.getKey().name().indexOf('.', prefix.length());
            if (dot >= 0 && groups.size() < GROUPS_MAX) {
                groups.merge(entry.getKey().name().substring(0, dot + 1), 1L, Long::sum);
            }
        }
        var page = matching.stream()
                .filter(e -> e.getKey().name().compareTo(after) > 0)
                .limit(limit + 1L)
                .map(e -> new SeriesView.Name(
                        e.getKey().name(),
                        e.getValue().readings(),
                        e.getValue().lastStep(),
                        e.getValue().lastValue()))
                .toList();
        boolean more = page.size() > limit;
        var names = more ? page.subList(0, limit) : page;
        return new SeriesView.Names(
                id,
                attempt,
                groups.entrySet().stream()
                        .map(g -> new SeriesView.Group(g.getKey(), g.getValue()))
                        .toList(),
                List.copyOf(names),
                matching.size(),
                more ? names.get(names.size() - 1).name() : null,
                unread);
    }

    /** Of the job's present attempt. */
    List<FrameStore.Listed> frames(JobState job) {
        lookAt(job, job.spec().attempt());
        return frames.list(job.id().value(), job.spec().attempt());
    }

    /** Under this name, of the job's present attempt. */
    FrameStore.Key frameKey(JobState job, String name) {
        lookAt(job, job.spec().attempt());
        return new FrameStore.Key(job.id().value(), job.spec().attempt(), name);
    }

    FrameStore frameStore() {
        return frames;
    }

    @Nullable Series get(SeriesKey key) {
        return series.get(key);
    }

    /** Of every attempt that has a series of this name. */
    List<SeriesKey> attempts(String name) {
        return series.attempts(name);
    }

    int seriesCount() {
        return series.size();
    }

    long seriesNotKept() {
        return series.notKept();
    }

    long framesNotKept() {
        return frames.notKept();
    }
}
