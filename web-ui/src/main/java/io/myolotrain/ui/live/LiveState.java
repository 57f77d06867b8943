package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
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
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the server knows of one pool. Items of the feed go in, views come out, and {@link #drain} tells open
 * pages what changed since the last time.
 */
public final class LiveState {
    /** Loss by step, from the log of decisions itself: there even without a sampler. */
    public static final String LOSS = "job.loss";

    public static final String TOKENS_PER_SECOND = "job.tokensPerSecond";
    public static final int EVENTS_MAX = 2_000;
    static final int EVENTS_FIRST_PAGE = 100;
    static final int CHANGES_FIRST_PAGE = 50;
    /** Groups of metric names in one answer; what goes beyond is found by searching. */
    static final int GROUPS_MAX = 500;

    static final int BUCKET_BUDGET = 600_000; // ~60 MB

    private final PoolId pool;
    private final Feeding feeding;
    private final EventLog events = new EventLog(EVENTS_MAX);
    private final SeriesStore series = new SeriesStore(BUCKET_BUDGET);
    private final Map<SeriesKey, Long> finestWidths = new HashMap<>(); // looked up only
    private final ChangeTracker changes = new ChangeTracker();
    private final NavigableMap<JobId, JobTrack> tracks = new TreeMap<>();
    private final Outbox outbox = new Outbox();
    private final PastStates past = new PastStates();
    private final FrameStore frames = new FrameStore();
    private final Diagnoses diagnoses = new Diagnoses();
    private final Runs runs;
    private final LongSupplier clockMs;
    private ClusterState cluster;
    private String foldProblem = "";

    /** Asks for what was measured of a run, see {@link ClusterFeed#open}. */
    public interface RunOpener {
        void open(ClusterFeed.Run run, long sinceMs, long untilMs);
    }

    public LiveState(PoolId pool, ClusterFeed.Source source, RunOpener opener, LongSupplier clockMs) {
        this.pool = pool;
        this.clockMs = clockMs;
        this.feeding = new Feeding(source, clockMs);
        this.runs = new Runs(opener, clockMs);
        this.cluster = ClusterState.empty(pool);
    }

    public void apply(List<ClusterFeed.Item> batch) {
        for (ClusterFeed.Item item : batch) {
            if (item instanceof ClusterFeed.Decided decided) {
                if (decided.pool().equals(pool)) {
                    decided(decided);
                }
            } else if (item instanceof ClusterFeed.Measured measured) {
                if (measured.point().pool().equals(pool)) {
                    measured(measured.point());
                }
            } else if (item instanceof ClusterFeed.Framed framed) {
                framed(framed.frame());
            } else if (item instanceof ClusterFeed.RunReading reading) {
                runs.reading(reading);
                outbox.run(reading);
            } else if (item instanceof ClusterFeed.RunClosed closed) {
                forget(closed.run());
            } else if (item instanceof ClusterFeed.Beat beat) {
                if (beat.heartbeat().pool().equals(pool)) {
                    diagnoses.hear(beat, clockMs.getAsLong());
                }
            } else if (item instanceof ClusterFeed.Rejected rejected) {
                feeding.rejected(rejected);
                outbox.health();
            } else if (item instanceof ClusterFeed.Position position) {
                if (feeding.position(position)) {
                    outbox.health();
                }
            } else if (item instanceof ClusterFeed.StartedAnew) {
                forget();
            }
        }
    }

    /** Nothing of a log that is gone may stand beside what the new one holds. */
    private void forget() {
        cluster = ClusterState.empty(pool);
        events.clear();
        series.clear();
        finestWidths.clear();
        changes.clear();
        tracks.clear();
        past.clear();
        frames.clear();
        diagnoses.clear();
        runs.clear();
        foldProblem = "";
        outbox.reset();
    }

    /** What was measured of a run can be read again; what was decided of it stays. */
    private void forget(ClusterFeed.Run run) {
        runs.closed(run);
        series.removeMeasured(run.job().value(), run.attempt());
        finestWidths
                .keySet()
                .removeIf(key ->
                        key.job().equals(run.job().value()) && key.attempt().equals(run.attempt()));
        frames.remove(run.job().value(), run.attempt());
        outbox.reset(); // a page that still shows it asks for it again
    }

    /** A page or program asks for what was measured of a run. */
    private Optional<ClusterFeed.RunReading> lookAt(JobState job, String attempt) {
        var run = new ClusterFeed.Run(job.id(), attempt);
        boolean over = job.phase() == JobPhase.STOPPED || job.phase() == JobPhase.COMPLETED;
        runs.lookedAt(run, over || !job.spec().attempt().equals(attempt));
        return runs.unread(run);
    }

    /** A change that this server has just published. */
    public ChangeView published(
            String eventId, String job, SortedMap<String, String> asked, String requestedBy, long atMs) {
        ChangeView change = changes.published(eventId, job, asked, requestedBy, atMs);
        outbox.change(change);
        return change;
    }

    /** Looks why jobs stand still; called every now and then, because silence is no event. */
    public void examine() {
        diagnoses.examine(cluster, clockMs.getAsLong(), feeding.isUpToDate()).forEach(outbox::job);
    }

    /** What changed since the last call, for open pages. */
    public List<StreamMessage> drain() {
        return outbox.drain(this);
    }

    public StateView state(String position) {
        return new StateView(
                position,
                poolView(),
                jobs(),
                events.page(null, null, null, "", EVENTS_FIRST_PAGE),
                changes.newest(CHANGES_FIRST_PAGE),
                health());
    }

    public PoolView poolView() {
        return PoolView.of(pool.value(), JobViews.workers(cluster));
    }

    List<String> jobIds() {
        return cluster.jobs().keySet().stream().map(JobId::value).toList();
    }

    public List<JobView> jobs() {
        return cluster.jobs().values().stream().map(this::view).toList();
    }

    public Optional<JobView> job(String id) {
        return jobState(id).map(this::view);
    }

    public Optional<ChangeView> change(String eventId) {
        return changes.get(eventId);
    }

    public EventLog.Page events(
            EventLog.@Nullable Cursor before,
            EventLog.@Nullable Cursor after,
            @Nullable String job,
            String query,
            int limit) {
        return events.page(before, after, job, query, limit);
    }

    /**
     * What part of a series is asked for.
     *
     * @param attempt empty for the job's present one
     * @param asOf newest generation that counts
     */
    public record Range(String attempt, long fromStep, long toStep, int pointsMax, long asOf) {
        public static Range all(int pointsMax) {
            return new Range("", 0, Long.MAX_VALUE, pointsMax, Long.MAX_VALUE);
        }
    }

    /** A metric of the job, without points while it has no reading; empty when there is no such job. */
    public Optional<SeriesView> series(String job, String name, Range range) {
        return jobState(job).map(j -> {
            String attempt = range.attempt.isEmpty() ? j.spec().attempt() : range.attempt;
            var key = new SeriesKey(job, attempt, name);
            SeriesView.Unread unread = isDecided(name) ? null : SeriesView.Unread.of(lookAt(j, attempt));
            Series of = series.get(key);
            return SeriesView.of(
                    key,
                    unread,
                    of == null
                            ? SeriesWindow.EMPTY
                            : of.window(range.fromStep, range.toStep, range.pointsMax, range.asOf));
        });
    }

    /** Known from decisions: there without a sampler, and of every run. */
    static boolean isDecided(String name) {
        return name.equals(LOSS) || name.equals(TOKENS_PER_SECOND);
    }

    /** Names of what was pictured of the job's present attempt; empty when there is no such job. */
    public Optional<List<FrameStore.Listed>> frames(String job) {
        return jobState(job).map(j -> {
            lookAt(j, j.spec().attempt());
            return frames.list(job, j.spec().attempt());
        });
    }

    /** Under this name, of the job's present attempt; empty when there is no such job. */
    public Optional<FrameStore.Key> frameKey(String job, String name) {
        return jobState(job).map(j -> {
            lookAt(j, j.spec().attempt());
            return new FrameStore.Key(job, j.spec().attempt(), name);
        });
    }

    public FrameStore frameStore() {
        return frames;
    }

    private void framed(MetricFrame frame) {
        if (!frame.origin().line().pool().equals(pool)) {
            return;
        }
        if (!frames.add(frame)) {
            outbox.health();
        } else if (!isPast(frame.origin().line())) {
            outbox.frame(
                    frame.origin().line().job().value(),
                    frame.frame().name(),
                    frame.origin().step());
        }
    }

    /** What a run's past holds is not told point by point: pages ask for all of it once it is read. */
    private boolean isPast(Line line) {
        return runs.unread(new ClusterFeed.Run(line.job(), line.attempt())).isPresent();
    }

    /** Attempts of all jobs that have a loss. */
    public List<SeriesView.Run> runs() {
        return series.attempts(LOSS).stream().map(this::run).toList();
    }

    private SeriesView.Run run(SeriesKey key) {
        Series of = Objects.requireNonNull(series.get(key));
        boolean current = jobState(key.job())
                .filter(j -> j.spec().attempt().equals(key.attempt()))
                .isPresent();
        return new SeriesView.Run(key.job(), key.attempt(), current, of.lastStep(), of.lastValue());
    }

    /** Names that start with the prefix and contain the text, whatever its case, in order, after {@code after}. */
    public Optional<SeriesView.Names> seriesNames(
            String job, String prefix, String containing, String after, int limit) {
        String needle = containing.toLowerCase(Locale.ROOT);
        return jobState(job).map(j -> {
            String attempt = j.spec().attempt();
            SeriesView.Unread unread = SeriesView.Unread.of(lookAt(j, attempt));
            var matching = series.of(job, attempt).entrySet().stream()
                    .filter(e -> e.getKey().name().startsWith(prefix)
                            && e.getKey().name().toLowerCase(Locale.ROOT).contains(needle))
                    .toList();
            var groups = new TreeMap<String, Long>();
            for (var entry : matching) {
                int dot = entry.getKey().name().indexOf('.', prefix.length());
                if (dot >= 0 && (groups.size() < GROUPS_MAX)) {
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
                    job,
                    attempt,
                    groups.entrySet().stream()
                            .map(g -> new SeriesView.Group(g.getKey(), g.getValue()))
                            .toList(),
                    List.copyOf(names),
                    matching.size(),
                    more ? names.get(names.size() - 1).name() : null,
                    unread);
        });
    }

    /** The state that the coordinator has now. Immutable: may be read on any thread. */
    public ClusterState cluster() {
        return cluster;
    }

    /** From where to fold on to reach an offset; null when no decision is known yet. */
    public PastStates.@Nullable Start pastStart(long offset) {
        return past.start(offset, ClusterState.empty(pool));
    }

    public PastView.Extent extent() {
        return past.extent();
    }

    /** Pool and jobs as they were, from a state that was folded again. */
    public PastView pastView(PastStates.Refolded refolded) {
        ClusterState then = refolded.state();
        return new PastView(
                then.lastOffset(),
                refolded.atMs(),
                PoolView.of(pool.value(), JobViews.workers(then)),
                then.jobs().values().stream()
                        .map(job -> JobViews.job(job, pastTrack(job, then.lastOffset()), List.of()))
                        .toList(),
                refolded.last() == null ? List.of() : EventRows.of(refolded.last()),
                past.extent());
    }

    private JobTrack pastTrack(JobState job, long offset) {
        JobTrack track = tracks.get(job.id());
        return track == null || !track.spec.attempt().equals(job.spec().attempt())
                ? new JobTrack(job.spec(), null)
                : track.asOf(offset);
    }

    public HealthView health() {
        return feeding.health(pool.value(), cluster.lastOffset(), series, frames.notKept(), events.size(), foldProblem);
    }

    private JobView view(JobState job) {
        return JobViews.job(job, track(job), diagnoses.of(job.id().value()));
    }

    JobView.@Nullable Progress progress(String job) {
        return jobState(job).map(j -> JobViews.progress(j, track(j))).orElse(null);
    }

    private Optional<JobState> jobState(String job) {
        try {
            return cluster.job(new JobId(job));
        } catch (IllegalArgumentException notAnId) {
            return Optional.empty();
        }
    }

    private JobTrack track(JobState job) {
        return tracks.computeIfAbsent(job.id(), id -> new JobTrack(job.spec(), null));
    }

    private void decided(ClusterFeed.Decided decided) {
        Decision decision = decided.decision();
        feeding.event(decision.atMs());
        ClusterState before = cluster;
        try {
            decision.facts().forEach(fact -> beforeApply(decision, fact));
            cluster = cluster.apply(decision);
        } catch (RuntimeException e) { // a state that the coordinator could not have: the rest must stay visible
            foldProblem = "decision at offset " + decision.offset() + ": " + e.getMessage();
            outbox.health();
        }
        past.add(decision, cluster, decided.place());
        tracks.keySet().retainAll(cluster.jobs().keySet());
        decision.facts().forEach(fact -> afterApply(decision, fact));
        for (EventRow row : EventRows.of(decision)) {
            events.add(row);
            outbox.event(row);
        }
        changes.apply(decision).forEach(outbox::change);
        if (!decision.facts().stream().allMatch(LiveState::isRoutine)) {
            tellChanged(before);
        }
    }

    /** States are immutable and shared: what is another object has changed. */
    @SuppressWarnings("ReferenceEquality")
    private void tellChanged(ClusterState before) {
        outbox.pool();
        cluster.jobs().forEach((id, job) -> {
            if (before.jobs().get(id) != job) {
                outbox.job(id.value());
            }
        });
    }

    private static boolean isRoutine(Fact fact) {
        return fact instanceof Fact.ProgressRecorded
                || fact instanceof Fact.TimerSet
                || fact instanceof Fact.TimerCleared;
    }

    /** The plan that becomes active is still the pending one here. */
    private void beforeApply(Decision decision, Fact fact) {
        if (fact instanceof Fact.JobAccepted f) {
            tracks.put(f.spec().job(), new JobTrack(f.spec(), decision.atMs()));
            runs.began(new ClusterFeed.Run(f.spec().job(), f.spec().attempt()), decision.atMs());
        } else if (fact instanceof Fact.PlanActivated f) {
            cluster.job(f.job()).ifPresent(job -> activated(job, f, decision));
        }
    }

    private void activated(JobState job, Fact.PlanActivated fact, Decision decision) {
        Optional<Plan> plan = job.pending()
                .filter(p -> p.generation().equals(fact.generation()))
                .or(() -> job.plans().overtaken().stream()
                        .filter(p -> p.generation().equals(fact.generation()))
                        .findFirst());
        track(job)
                .activated(
                        fact,
                        plan.map(Plan::worldSize).orElse(0),
                        plan.map(Plan::reason).orElse(""),
                        decision.atMs(),
                        decision.offset());
        series.cut(job.id().value(), job.spec().attempt(), fact.generation().value(), fact.firstStep());
    }

    private void afterApply(Decision decision, Fact fact) {
        if (fact instanceof Fact.ProgressRecorded f) {
            cluster.job(f.job()).ifPresent(job -> stepped(job, f, decision.atMs()));
        } else if (fact instanceof Fact.PhaseChanged f) {
            cluster.job(f.job()).ifPresent(job -> track(job).phaseReason = f.reason());
        } else if (fact instanceof Fact.CheckpointRecorded f) {
            cluster.job(f.job()).ifPresent(job -> track(job).checkpointAtMs = decision.atMs());
        }
    }

    private void stepped(JobState job, Fact.ProgressRecorded fact, long atMs) {
        JobTrack track = track(job);
        track.progress(fact, atMs);
        runs.active(new ClusterFeed.Run(job.id(), job.spec().attempt()), atMs);
        String id = job.id().value();
        String attempt = job.spec().attempt();
        long generation = fact.generation().value();
        add(new SeriesKey(id, attempt, LOSS), Bucket.of(fact.step(), fact.loss(), generation, atMs), true);
        double rate = track.tokensPerSecond();
        if (Double.isFinite(rate)) {
            add(new SeriesKey(id, attempt, TOKENS_PER_SECOND), Bucket.of(fact.step(), rate, generation, atMs), true);
        }
        outbox.progress(id);
    }

    /** Roll-ups of several widths tell the same readings again: the finest counts. */
    private void measured(MetricPoint point) {
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
}
