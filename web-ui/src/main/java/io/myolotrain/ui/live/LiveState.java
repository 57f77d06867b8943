package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.ui.frames.FrameStore;
import io.myolotrain.ui.port.ClusterFeed;
import java.util.List;
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
    public static final String LOSS = Measurements.LOSS;
    public static final int EVENTS_MAX = 2_000;
    static final int EVENTS_FIRST_PAGE = 100;
    static final int CHANGES_FIRST_PAGE = 50;

    private final PoolId pool;
    private final Feeding feeding;
    private final EventLog events = new EventLog(EVENTS_MAX);
    private final ChangeTracker changes = new ChangeTracker();
    private final NavigableMap<JobId, JobTrack> tracks = new TreeMap<>();
    private final Outbox outbox = new Outbox();
    private final PastStates past = new PastStates();
    private final Diagnoses diagnoses = new Diagnoses();
    private final Measurements measurements;
    private final LongSupplier clockMs;
    private final SortedMap<Integer, Long> nextOffsets = new TreeMap<>(); // of decisions, by partition
    private ClusterState cluster;
    private ClusterFeed.@Nullable Decided newest; // of this pool
    private long decisionsSinceKept;
    private String foldProblem = "";

    /** Asks for what was measured of a run, see {@link ClusterFeed#open}. */
    public interface RunOpener {
        void open(ClusterFeed.Run run, long sinceMs, long untilMs);
    }

    public LiveState(PoolId pool, ClusterFeed.Source source, RunOpener opener, LongSupplier clockMs) {
        this.pool = pool;
        this.clockMs = clockMs;
        this.feeding = new Feeding(source, clockMs);
        this.measurements = new Measurements(pool, outbox, opener, clockMs);
        this.cluster = ClusterState.empty(pool);
    }

    public void apply(List<ClusterFeed.Item> batch) {
        for (ClusterFeed.Item item : batch) {
            if (item instanceof ClusterFeed.Decided decided) {
                nextOffsets.put(decided.place().partition(), decided.place().offset() + 1);
                if (decided.pool().equals(pool)) {
                    decided(decided);
                }
            } else if (item instanceof ClusterFeed.Measured measured) {
                measurements.measured(measured.point());
            } else if (item instanceof ClusterFeed.Framed framed) {
                measurements.framed(framed.frame());
            } else if (item instanceof ClusterFeed.RunReading reading) {
                measurements.reading(reading);
            } else if (item instanceof ClusterFeed.RunClosed closed) {
                measurements.closed(closed.run());
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
        changes.clear();
        tracks.clear();
        past.clear();
        diagnoses.clear();
        measurements.clear();
        nextOffsets.clear();
        newest = null;
        decisionsSinceKept = 0;
        foldProblem = "";
        outbox.reset();
    }

    /** Decisions that {@link #keep} would keep beyond what it kept last. */
    public long decisionsSinceKept() {
        return decisionsSinceKept;
    }

    /** What decisions told so far; empty before the first, and of a log that could not be folded. */
    public Optional<Kept> keep() {
        ClusterFeed.Decided last = newest;
        if (last == null || !foldProblem.isEmpty()) {
            return Optional.empty();
        }
        decisionsSinceKept = 0;
        Decision decision = last.decision();
        return Optional.of(new Kept(
                new ClusterFeed.Reached(
                        nextOffsets, last.place(), decision.offset(), decision.eventId(), decision.stateHash()),
                cluster,
                events.all().stream().map(Kept.Row::of).toList(),
                events.dropped(),
                changes.all().stream().map(Kept.Change::of).toList(),
                tracks.values().stream().map(JobTrack::kept).toList(),
                measurements.decidedCurves(),
                measurements.cuts(),
                measurements.extents(),
                past.kept()));
    }

    /** Goes on from there; before anything else is applied. */
    public void restore(Kept kept) {
        nextOffsets.putAll(kept.reached().nextOffsets());
        cluster = kept.cluster();
        events.restore(kept.rows().stream().map(Kept.Row::live).toList(), kept.rowsDropped());
        changes.restore(kept.changes().stream().map(Kept.Change::live).toList());
        kept.tracks().forEach(track -> tracks.put(track.spec().job(), JobTrack.of(track)));
        measurements.restore(kept);
        past.restore(kept.past(), cluster);
        feeding.event(kept.past().newest().atMs());
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
        return jobState(job).map(j -> measurements.series(j, name, range));
    }

    /** Names of what was pictured of the job's present attempt; empty when there is no such job. */
    public Optional<List<FrameStore.Listed>> frames(String job) {
        return jobState(job).map(measurements::frames);
    }

    /** Under this name, of the job's present attempt; empty when there is no such job. */
    public Optional<FrameStore.Key> frameKey(String job, String name) {
        return jobState(job).map(j -> measurements.frameKey(j, name));
    }

    public FrameStore frameStore() {
        return measurements.frameStore();
    }

    /** Attempts of all jobs that have a loss. */
    public List<SeriesView.Run> runs() {
        return measurements.attempts(LOSS).stream().map(this::run).toList();
    }

    private SeriesView.Run run(SeriesKey key) {
        Series of = Objects.requireNonNull(measurements.get(key));
        boolean current = jobState(key.job())
                .filter(j -> j.spec().attempt().equals(key.attempt()))
                .isPresent();
        return new SeriesView.Run(key.job(), key.attempt(), current, of.lastStep(), of.lastValue());
    }

    /** Names that start with the prefix and contain the text, whatever its case, in order, after {@code after}. */
    public Optional<SeriesView.Names> seriesNames(
            String job, String prefix, String containing, String after, int limit) {
        return jobState(job).map(j -> measurements.names(j, prefix, containing, after, limit));
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
        return feeding.health(pool.value(), cluster.lastOffset(), measurements, events.size(), foldProblem);
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
        newest = decided;
        decisionsSinceKept++;
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
            measurements.began(new ClusterFeed.Run(f.spec().job(), f.spec().attempt()), decision.atMs());
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
        measurements.cut(runOf(job), fact.generation().value(), fact.firstStep());
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
        long generation = fact.generation().value();
        measurements.decided(runOf(job), LOSS, Bucket.of(fact.step(), fact.loss(), generation, atMs));
        double rate = track.tokensPerSecond();
        if (Double.isFinite(rate)) {
            measurements.decided(
                    runOf(job), Measurements.TOKENS_PER_SECOND, Bucket.of(fact.step(), rate, generation, atMs));
        }
        outbox.progress(job.id().value());
    }

    private static ClusterFeed.Run runOf(JobState job) {
        return new ClusterFeed.Run(job.id(), job.spec().attempt());
    }
}
