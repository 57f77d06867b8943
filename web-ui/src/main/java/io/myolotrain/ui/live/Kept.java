package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.ui.live.JobView.GenerationMark;
import io.myolotrain.ui.port.ClusterFeed;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What the page knows from decisions, as a value: enough to go on from where it stood instead of folding every decision again.
 * What was measured is not part of it; that is read when somebody looks.
 *
 * @param rows of the event list, oldest first
 * @param rowsDropped older ones that are only in the topic
 * @param changes oldest first
 * @param curves of losses and rates, of all runs
 * @param cuts where generations of a run began
 * @param extents when each run went on
 */
public record Kept(
        ClusterFeed.Reached reached,
        ClusterState cluster,
        List<Row> rows,
        long rowsDropped,
        List<Change> changes,
        List<Track> tracks,
        List<Curve> curves,
        List<Cut> cuts,
        List<Extent> extents,
        Past past) {
    public Kept {
        rows = List.copyOf(rows);
        changes = List.copyOf(changes);
        tracks = List.copyOf(tracks);
        curves = List.copyOf(curves);
        cuts = List.copyOf(cuts);
        extents = List.copyOf(extents);
    }

    /** An {@link EventRow}. */
    public record Row(
            String id,
            long offset,
            int index,
            long atMs,
            String eventId,
            String kind,
            EventRow.Tone tone,
            Optional<String> job,
            Optional<String> worker,
            Optional<Long> generation,
            String text,
            String reason,
            List<Refusal> refusals) {

        static Row of(EventRow row) {
            return new Row(
                    row.id(),
                    row.offset(),
                    row.index(),
                    row.atMs(),
                    row.eventId(),
                    row.kind(),
                    row.tone(),
                    Optional.ofNullable(row.job()),
                    Optional.ofNullable(row.worker()),
                    Optional.ofNullable(row.generation()),
                    row.text(),
                    row.reason(),
                    row.refusals());
        }

        EventRow live() {
            return new EventRow(
                    id,
                    offset,
                    index,
                    atMs,
                    eventId,
                    kind,
                    tone,
                    orNull(job),
                    orNull(worker),
                    orNull(generation),
                    text,
                    reason,
                    refusals);
        }
    }

    /** A {@link ChangeView}. */
    public record Change(
            String eventId,
            String job,
            SortedMap<String, String> changes,
            String requestedBy,
            ChangeView.Status status,
            long publishedAtMs,
            Optional<Long> decidedAtMs,
            Optional<Long> plannedAtMs,
            Optional<Long> generation,
            Optional<Long> appliedAtMs,
            Optional<Long> firstStep,
            Optional<Long> stallMicros,
            Optional<Long> movedBytes,
            List<Refusal> refusals,
            String note) {

        static Change of(ChangeView view) {
            return new Change(
                    view.eventId(),
                    view.job(),
                    view.changes(),
                    view.requestedBy(),
                    view.status(),
                    view.publishedAtMs(),
                    Optional.ofNullable(view.decidedAtMs()),
                    Optional.ofNullable(view.plannedAtMs()),
                    Optional.ofNullable(view.generation()),
                    Optional.ofNullable(view.appliedAtMs()),
                    Optional.ofNullable(view.firstStep()),
                    Optional.ofNullable(view.stallMicros()),
                    Optional.ofNullable(view.movedBytes()),
                    view.refusals(),
                    view.note());
        }

        ChangeView live() {
            return new ChangeView(
                    eventId,
                    job,
                    changes,
                    requestedBy,
                    status,
                    publishedAtMs,
                    orNull(decidedAtMs),
                    orNull(plannedAtMs),
                    orNull(generation),
                    orNull(appliedAtMs),
                    orNull(firstStep),
                    orNull(stallMicros),
                    orNull(movedBytes),
                    refusals,
                    note);
        }
    }

    /** A {@link JobTrack}; its rates are known again after some steps. */
    public record Track(
            JobSpec spec,
            Optional<Long> acceptedAtMs,
            Optional<Long> lastStepAtMs,
            long checkpointAtMs,
            String phaseReason,
            List<GenerationMark> generations) {}

    /** A {@link Series}. */
    public record Curve(
            SeriesKey key,
            long bucketSteps,
            long readings,
            long nonFinite,
            long firstNonFiniteStep,
            List<Bucket> main,
            List<Bucket> abandoned) {}

    /** From which step on a generation of a run holds. */
    public record Cut(String job, String attempt, long generation, long firstStep) {}

    /** When a run began, and when it was heard of last. */
    public record Extent(ClusterFeed.Run run, long sinceMs, long lastMs) {}

    /**
     * How the pool was, now and then.
     *
     * @param first the oldest decision that is known; its state is not
     * @param moments oldest first
     */
    public record Past(Moment first, Moment newest, List<Snapshot> moments) {
        public Past {
            moments = List.copyOf(moments);
        }
    }

    /** Where a decision stands. */
    public record Moment(long offset, long atMs, ClusterFeed.Place place) {}

    public record Snapshot(Moment moment, ClusterState state) {}

    private static <T> @Nullable T orNull(Optional<T> value) {
        return value.orElse(null);
    }
}
