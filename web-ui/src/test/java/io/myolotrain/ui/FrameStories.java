package io.myolotrain.ui;

import io.myolotrain.core.sampling.AttentionMap;
import io.myolotrain.core.sampling.Histogram;
import io.myolotrain.core.sampling.Histograms;
import io.myolotrain.core.sampling.Matrix;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.Spans;
import io.myolotrain.core.sampling.Spans.Collective;
import io.myolotrain.core.sampling.Spans.Operation;
import io.myolotrain.core.sampling.Spans.Phase;
import io.myolotrain.core.sampling.Spans.Span;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Pictures of the job demo that a test can know by heart. */
public final class FrameStories {
    public static final String GRADIENTS = "gradient.histogram";
    public static final String HEADS = "attention.norm";
    public static final String SPANS = "step.spans";
    public static final String ATTENTION = "attention.map";
    private static final long STEP_MICROS = 40_000;

    private FrameStories() {}

    public static List<MetricFrame> all() {
        var frames = new ArrayList<MetricFrame>();
        for (int step = 10; step <= 400; step += 10) {
            frames.add(PoolStory.frame(1, step, 0, step, gradients(step)));
        }
        for (int step = 50; step <= 400; step += 50) {
            frames.add(PoolStory.frame(1, step, 0, step, heads(step)));
        }
        for (int step = 391; step <= 400; step++) {
            for (int rank = 0; rank < 4; rank++) {
                frames.add(PoolStory.frame(1, step, rank, step, spans(step, rank)));
            }
        }
        frames.add(PoolStory.frame(1, 400, 0, 400, attention("", 1, 2, 1_024, 976)));
        return frames;
    }

    /** Case F05: a NaN in layer 2 at step 200, all NaN in layer 3 at step 210, an infinity at step 220, nothing at 230. */
    public static Histograms gradients(int step) {
        var random = new Random(step);
        var layers = new ArrayList<Histogram>();
        for (int layer = -1; layer <= 4; layer++) {
            boolean allNan = layer == 3 && step == 210;
            var counts = new ArrayList<Long>();
            for (int bucket = 0; bucket < 12; bucket++) {
                counts.add(
                        allNan
                                ? 0L
                                : Math.round(1_000 * Math.exp(-Math.pow(bucket - 6 + layer * 0.3, 2) / 6))
                                        + random.nextInt(20));
            }
            layers.add(new Histogram(
                    layer,
                    28 + (int) Math.round(4 * Math.exp(-step / 120.0)),
                    counts,
                    allNan ? 0 : 17,
                    allNan ? 4_000 : layer == 2 && step == 200 ? 1 : 0,
                    layer == 1 && step == 220 ? 3 : 0,
                    0,
                    allNan ? 0 : 0.25,
                    Double.NaN));
        }
        if (step == 230) {
            layers.set(1, new Histogram(0, 0, List.of(), 0, 0, 0, 0, 0, Double.NaN));
        }
        return new Histograms(GRADIENTS, layers);
    }

    /** Twelve layers of eight heads; head 5 of layer 3 is dead, head 7 of layer 11 is not measured. */
    public static Matrix heads(int step) {
        var values = new ArrayList<Float>();
        for (int layer = 0; layer < 12; layer++) {
            for (int head = 0; head < 8; head++) {
                double value = 1 + Math.sin(layer * 0.7 + head * 1.3 + step * 0.01);
                values.add(
                        layer == 3 && head == 5
                                ? 0.0001f
                                : layer == 11 && head == 7 ? Float.NaN : (float) value + 0.2f);
            }
        }
        return new Matrix(HEADS, 12, 8, values);
    }

    /** Rank 2 is 3 ms behind in each step; its peers wait for it in the all-reduce, of which 4 ms hide behind the backward. */
    public static Spans spans(int step, int rank) {
        long late = rank == 2 ? 3_000 : 0;
        long base = 1_000_000_000L + step * STEP_MICROS;
        var spans = List.of(
                span(Phase.DATA, 0, 1_000, null),
                span(Phase.FORWARD, 1_000, 11_000 + late, null),
                span(Phase.BACKWARD, 11_000 + late, 24_000 + late, null),
                span(Phase.ALL_REDUCE, 20_000 + late, 30_000, new Collective(Operation.ALL_REDUCE, step, 1_048_576)),
                span(Phase.OPTIMIZER, 30_000, 34_000, null),
                span(Phase.COMMIT, 34_000, 34_500, new Collective(Operation.ALL_GATHER, step, 64)),
                span(Phase.WAIT, 34_500, 40_000, null));
        return new Spans(SPANS, base, spans);
    }

    private static Span span(Phase phase, long begin, long end, @org.jspecify.annotations.Nullable Collective of) {
        return new Span(phase, begin, end, Optional.ofNullable(of));
    }

    /** Cases F15 and F16: reduced by the reporter; the last positions are padding. */
    public static AttentionMap attention(String request, int layer, int head, int positions, int tokens) {
        float[] square = new float[positions * positions];
        for (int query = 0; query < tokens; query++) {
            for (int key = 0; key <= query; key++) {
                square[query * positions + key] = (float) Math.exp(-(query - key) / 40.0) * 0.5f;
            }
        }
        if (tokens > 700) {
            square[700 * positions + 3] = 0.9f; // one lone strong link
        }
        var labels = new ArrayList<String>(Collections.nCopies(tokens, "tok"));
        return AttentionMap.reduced(ATTENTION, request, layer, head, labels, positions, square);
    }
}
