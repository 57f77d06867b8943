package io.myolotrain.worker.readings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.sampling.Histogram;
import io.myolotrain.core.sampling.Histograms;
import io.myolotrain.core.sampling.Scalars.Scalar;
import io.myolotrain.core.training.ParameterLayout;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class LayerReadingsTest {
    private final ParameterLayout layout =
            ParameterLayout.of(new ModelShape(ModelShape.Family.GPT, 3, 8, 2, 8, 256, 2, 0));
    private final LayerReadings readings = new LayerReadings(layout);

    @Test
    void everyParameterIsInTheHistogramOfItsLayerOnce() {
        FloatBuffer values = FloatBuffer.allocate(layout.size());
        layout.parameters().forEach(p -> {
            for (int i = p.offset(); i < p.offset() + p.size(); i++) {
                values.put(i, (float) (2 + p.cell().layer()));
            }
        });

        Histograms histograms = readings.histograms("h", values, 0.5f);

        assertThat(histograms.layers()).extracting(Histogram::layer).containsExactly(-1, 0, 1, 2, 3);
        assertThat(histograms.layers().stream().mapToLong(Histogram::finite).sum())
                .isEqualTo(layout.size());
        assertThat(histograms.layers())
                .allSatisfy(h -> assertThat(h.maxMagnitude()).isEqualTo((2 + h.layer()) / 2.0));
    }

    @Test
    void normsOfTheLayersAddUpToTheNormOfAll() {
        FloatBuffer values = FloatBuffer.allocate(layout.size());
        for (int i = 0; i < layout.size(); i++) {
            values.put(i, (float) Math.sin(i));
        }
        double[] squares = new double[layout.shards().size()];
        double all = 0;
        for (var shard : layout.shards()) {
            for (int i = shard.offset(); i < shard.offset() + shard.length(); i++) {
                squares[shard.index()] += (double) values.get(i) * values.get(i);
            }
            all += squares[shard.index()];
        }
        var gradient = new ArrayList<Scalar>();
        var weights = new ArrayList<Scalar>();

        readings.gradientNorms(squares, 0.25, gradient);
        readings.weightNorms(readings.histograms("weight.histogram", values, 1f), weights);

        assertThat(gradient)
                .extracting(Scalar::name)
                .containsExactly(
                        "gradient.norm.embedding",
                        "gradient.norm.layer0",
                        "gradient.norm.layer1",
                        "gradient.norm.layer2",
                        "gradient.norm.head");
        assertThat(gradient.stream()
                        .mapToDouble(s -> 16 * s.value() * s.value())
                        .sum())
                .isCloseTo(all, within(1e-9 * all));
        assertThat(weights.stream().mapToDouble(s -> s.value() * s.value()).sum())
                .isCloseTo(all, within(1e-9 * all));
    }
}
