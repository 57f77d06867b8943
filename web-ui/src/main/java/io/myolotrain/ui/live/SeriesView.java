package io.myolotrain.ui.live;

import io.myolotrain.ui.port.ClusterFeed;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A series over a range of steps.
 *
 * @param sampled whether buckets hold more than one reading: the envelope of minimum and maximum is exact, the line is not
 * @param main the line
 * @param unread null once all of the run's past is read
 * @param abandoned what earlier generations reached before a resume from an older step
 */
public record SeriesView(
        String job,
        String attempt,
        String name,
        long bucketSteps,
        boolean sampled,
        long readings,
        long nonFinite,
        @Nullable Long firstNonFiniteStep,
        Columns main,
        Columns abandoned,
        @Nullable Unread unread) {

    /**
     * Part of a run's past is not read yet.
     *
     * @param upToStep what was measured up to here is read, -1 when nothing is
     * @param problem why the rest cannot be read, empty normally
     */
    public record Unread(long upToStep, String problem) {
        static @Nullable Unread of(Optional<ClusterFeed.RunReading> reading) {
            return reading.map(r -> new Unread(r.upToStep(), r.problem())).orElse(null);
        }
    }

    static SeriesView of(SeriesKey key, @Nullable Unread unread, SeriesWindow window) {
        return new SeriesView(
                key.job(),
                key.attempt(),
                key.name(),
                window.bucketSteps(),
                window.bucketSteps() > 1,
                window.readings(),
                window.nonFinite(),
                window.firstNonFiniteStep() < 0 ? null : window.firstNonFiniteStep(),
                Columns.of(window.main()),
                Columns.of(window.abandoned()),
                unread);
    }

    /** Readings that just came in, for pages that watch the series. */
    public record Points(String job, String attempt, String name, Columns points) {}

    /**
     * @param groups the next dotted part of the names after the prefix, with how many names start so; at most
     *     {@link LiveState#GROUPS_MAX}
     * @param total names that match
     * @param next name after which the next page starts, null on the last page
     */
    public record Names(
            String job,
            String attempt,
            List<Group> groups,
            List<Name> names,
            long total,
            @Nullable String next,
            @Nullable Unread unread) {}

    /** @param prefix with its dot: ask for it to go down */
    public record Group(String prefix, long names) {}

    /** An attempt that can be compared with others. */
    public record Run(
            String job,
            String attempt,
            boolean current,
            long lastStep,
            @Nullable Double lastLoss) {}

    public record Name(
            String name,
            long readings,
            long lastStep,
            @Nullable Double last) {}
}
