package io.myolotrain.worker.readings;

import io.myolotrain.core.sampling.Histogram;
import io.myolotrain.core.sampling.HistogramTally;
import io.myolotrain.core.sampling.Histograms;
import io.myolotrain.core.sampling.Scalars.Scalar;
import io.myolotrain.core.training.ParameterLayout;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/** Norms and histograms of gradients and weights, layer by layer. Used by the training thread alone. */
final class LayerReadings {
    private final LayerRanges ranges;
    private final int layers;
    private final HistogramTally tally = new HistogramTally();

    LayerReadings(ParameterLayout layout) {
        this.ranges = new LayerRanges(layout);
        this.layers = layout.shape().layers();
    }

    /**
     * Norms of the mean gradient; free, because the update has squared every shard already.
     *
     * @param squares sum of squares of each shard of the summed gradient
     * @param scale of a summed gradient to the mean
     */
    void gradientNorms(double[] squares, double scale, List<Scalar> into) {
        for (LayerRanges.Layer layer : ranges.layers()) {
            double sum = 0;
            for (int shard = layer.firstShard(); shard < layer.firstShard() + layer.shards(); shard++) {
                sum += squares[shard];
            }
            into.add(new Scalar(Names.gradientNorm(layer.layer(), layers), Math.sqrt(sum) * scale));
        }
    }

    /** Free too: the histograms have summed the squares. */
    void weightNorms(Histograms weights, List<Scalar> into) {
        for (Histogram layer : weights.layers()) {
            into.add(new Scalar(Names.weightNorm(layer.layer(), layers), layer.norm()));
        }
    }

    /** @param scale multiplies each value first */
    Histograms histograms(String name, FloatBuffer values, float scale) {
        List<Histogram> histograms = new ArrayList<>(ranges.layers().size());
        for (LayerRanges.Layer layer : ranges.layers()) {
            histograms.add(tally.of(layer.layer(), values, layer.offset(), layer.length(), scale));
        }
        return new Histograms(name, histograms);
    }
}
