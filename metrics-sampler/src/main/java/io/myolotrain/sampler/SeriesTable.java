package io.myolotrain.sampler;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.SamplingRules;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The open series, bounded over all jobs. When it is full, a silent series of the job that has most gives way: a job that
 * floods with names crowds out itself and not its neighbours.
 */
final class SeriesTable {
    /** Names, lines and jobs come from outside. About 1.5 kB each with all open points. */
    static final int SERIES_MAX = 65_536;
    /** A series that is silent for longer gives way. */
    static final long GIVES_WAY_MS = 10_000;
    /** Series that are looked at to find a silent one. */
    private static final int LOOKS_MAX = 8;

    private final Map<Line, Map<String, OpenSeries>> lines = new HashMap<>(); // looked up only
    private final Map<JobKey, Job> jobs = new TreeMap<>();
    private final Consumer<OpenSeries> publishAll;
    private int size;
    private @Nullable Job biggest;
    private long biggestAtMs;
    private @Nullable Line recentLine;
    private @Nullable Map<String, OpenSeries> recent;

    record JobKey(PoolId pool, JobId job) implements Comparable<JobKey> {
        static JobKey of(Line line) {
            return new JobKey(line.pool(), line.job());
        }

        @Override
        public int compareTo(JobKey other) {
            int byPool = pool.compareTo(other.pool);
            return byPool != 0 ? byPool : job.compareTo(other.job);
        }
    }

    private static final class Job {
        SamplingRules rules = SamplingRules.standard();
        /** Each series once; the eldest is looked at first and goes to the end when it is not silent. */
        final ArrayDeque<OpenSeries> series = new ArrayDeque<>();
    }

    /** @param publishAll called with a series that gives way, so that nothing of it is lost */
    SeriesTable(Consumer<OpenSeries> publishAll) {
        this.publishAll = publishAll;
    }

    int size() {
        return size;
    }

    /** Readings come in runs of one line: its names are at hand. */
    private Map<String, OpenSeries> names(Line line) {
        if (recent == null || !line.equals(recentLine)) {
            recentLine = line;
            recent = lines.computeIfAbsent(line, l -> new HashMap<>());
        }
        return recent;
    }

    /** The series, opened when needed; null when there is no room. */
    @Nullable OpenSeries open(Line line, String name, long nowMs) {
        Map<String, OpenSeries> names = names(line);
        OpenSeries known = names.get(name);
        if (known != null) {
            return known;
        }
        if (size >= SERIES_MAX && !makeRoom(JobKey.of(line), nowMs)) {
            forgetIfEmpty(line, names);
            return null;
        }
        return add(line, name);
    }

    /** Opens a series whatever the bound: what was stored, and the sampler's own few. */
    OpenSeries openAlways(Line line, String name) {
        OpenSeries known = names(line).get(name);
        return known != null ? known : add(line, name);
    }

    private OpenSeries add(Line line, String name) {
        Job job = jobs.computeIfAbsent(JobKey.of(line), k -> new Job());
        var added = new OpenSeries(new Series(line, name), job.rules.policyFor(name));
        names(line).put(name, added);
        job.series.add(added);
        size++;
        return added;
    }

    private boolean makeRoom(JobKey wanted, long nowMs) {
        Job biggest = biggest(nowMs);
        Job own = jobs.get(wanted);
        if (own != null && own.series.size() >= biggest.series.size()) {
            biggest = own;
        }
        for (int looks = 0; looks < LOOKS_MAX && !biggest.series.isEmpty(); looks++) {
            OpenSeries eldest = biggest.series.remove();
            if (nowMs - eldest.heardAtMs > GIVES_WAY_MS) {
                forget(eldest);
                return true;
            }
            biggest.series.add(eldest);
        }
        return false;
    }

    /** Looked for once a second: there may be as many jobs as series. */
    private Job biggest(long nowMs) {
        if (biggest == null || nowMs - biggestAtMs >= 1_000) {
            biggestAtMs = nowMs;
            biggest = jobs.values().stream()
                    .max(Comparator.comparingInt(job -> job.series.size()))
                    .orElseThrow();
        }
        return biggest;
    }

    private void forget(OpenSeries gone) {
        publishAll.accept(gone);
        Line line = gone.series.line();
        Map<String, OpenSeries> names = names(line);
        names.remove(gone.series.name());
        size--;
        forgetIfEmpty(line, names);
    }

    private void forgetIfEmpty(Line line, Map<String, OpenSeries> names) {
        if (names.isEmpty()) {
            lines.remove(line);
            recentLine = null;
            recent = null;
        }
    }

    /** Lets series go whose job is over or has another generation. */
    void forgetSilentSince(long atMs) {
        for (Job job : jobs.values()) {
            for (Iterator<OpenSeries> all = job.series.iterator(); all.hasNext(); ) {
                OpenSeries series = all.next();
                if (series.heardAtMs < atMs) {
                    all.remove();
                    forget(series);
                }
            }
        }
        jobs.values().removeIf(job -> job.series.isEmpty() && job.rules.equals(SamplingRules.standard()));
    }

    /** From now on, for the job's present and future series. */
    void follow(JobKey key, SamplingRules rules) {
        Job job = jobs.computeIfAbsent(key, k -> new Job());
        job.rules = rules;
        for (OpenSeries series : job.series) {
            var wanted = rules.policyFor(series.series.name());
            if (!series.follows(wanted)) {
                publishAll.accept(series);
                series.follow(wanted);
            }
        }
    }

    SamplingRules rules(JobKey key) {
        Job job = jobs.get(key);
        return job == null ? SamplingRules.standard() : job.rules;
    }
}
