package io.myolotrain.ui.frames;

import io.myolotrain.core.sampling.AttentionMap;
import io.myolotrain.core.sampling.Frame;
import io.myolotrain.core.sampling.Histograms;
import io.myolotrain.core.sampling.Matrix;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.Spans;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All frames of the pool's jobs, by name. A step that is run again replaces what an older generation pictured of it. */
public final class FrameStore {
    static final int TRACKS_MAX = 512; // further names are counted, not kept

    private final NavigableMap<Key, HistogramTrack> histograms = new TreeMap<>();
    private final NavigableMap<Key, MatrixTrack> matrices = new TreeMap<>();
    private final NavigableMap<Key, SpanTrack> spans = new TreeMap<>();
    private final NavigableMap<Key, AttentionTrack> attention = new TreeMap<>();
    private long notKept;

    /** @param attempt submission of the job */
    public record Key(String job, String attempt, String name) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::job).thenComparing(Key::attempt).thenComparing(Key::name);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** What there is of one name. */
    public record Listed(String name, String kind, int steps, long firstStep, long lastStep) {}

    /** @return false when it was not kept because there are too many names */
    public boolean add(MetricFrame of) {
        var line = of.origin().line();
        Frame frame = of.frame();
        var key = new Key(line.job().value(), line.attempt(), frame.name());
        if (!known(key) && size() >= TRACKS_MAX) {
            notKept++;
            return false;
        }
        if (frame instanceof Histograms h) {
            histograms.computeIfAbsent(key, k -> new HistogramTrack()).add(of.origin(), h);
        } else if (frame instanceof Matrix m) {
            matrices.computeIfAbsent(key, k -> new MatrixTrack()).add(of.origin(), m);
        } else if (frame instanceof Spans s) {
            spans.computeIfAbsent(key, k -> new SpanTrack()).add(of.origin(), s);
        } else if (frame instanceof AttentionMap a) {
            attention.computeIfAbsent(key, k -> new AttentionTrack()).add(of.origin(), a);
        }
        return true;
    }

    /** Every name of the attempt. */
    public List<Listed> list(String job, String attempt) {
        var all = new java.util.ArrayList<Listed>();
        of(histograms, job, attempt).forEach((key, track) -> all.add(track.listed(key.name())));
        of(matrices, job, attempt).forEach((key, track) -> all.add(track.listed(key.name())));
        of(spans, job, attempt).forEach((key, track) -> all.add(track.listed(key.name())));
        of(attention, job, attempt).forEach((key, track) -> all.add(track.listed(key.name())));
        all.sort(Comparator.comparing(Listed::kind).thenComparing(Listed::name));
        return all;
    }

    /** Empty when nothing of this name was pictured. */
    public Optional<HistogramTrack> histograms(Key key) {
        return Optional.ofNullable(histograms.get(key));
    }

    public Optional<MatrixTrack> matrices(Key key) {
        return Optional.ofNullable(matrices.get(key));
    }

    public Optional<SpanTrack> spans(Key key) {
        return Optional.ofNullable(spans.get(key));
    }

    public Optional<AttentionTrack> attention(Key key) {
        return Optional.ofNullable(attention.get(key));
    }

    /** Names beyond the bound. */
    public long notKept() {
        return notKept;
    }

    /** Nothing of the attempt is left. */
    public void remove(String job, String attempt) {
        of(histograms, job, attempt).clear();
        of(matrices, job, attempt).clear();
        of(spans, job, attempt).clear();
        of(attention, job, attempt).clear();
    }

    public void clear() {
        histograms.clear();
        matrices.clear();
        spans.clear();
        attention.clear();
        notKept = 0;
    }

    private int size() {
        return histograms.size() + matrices.size() + spans.size() + attention.size();
    }

    private boolean known(Key key) {
        return histograms.containsKey(key)
                || matrices.containsKey(key)
                || spans.containsKey(key)
                || attention.containsKey(key);
    }

    private static <T> NavigableMap<Key, T> of(NavigableMap<Key, T> all, String job, String attempt) {
        return all.subMap(new Key(job, attempt, ""), true, new Key(job, attempt + "\0", ""), false);
    }

    /** The step's newest generation wins; equal ones add to each other. */
    static boolean outdated(@Nullable Long held, long generation) {
        return held != null && held > generation;
    }
}
