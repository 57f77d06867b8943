package io.myolotrain.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.ModelShape.Family;
import io.myolotrain.core.training.ParameterLayout.Parameter;
import io.myolotrain.worker.engine.Fixtures.Batch;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LibTorchTrainerTest {
    private static final long SEED = 5;

    static List<Arguments> grids() {
        var grids = new ArrayList<Arguments>();
        for (Family family : Family.values()) {
            for (int slices : new int[] {1, 2, 4}) {
                for (int layers = 1; layers <= 4; layers++) {
                    grids.add(Arguments.of(family, layers, slices));
                }
            }
        }
        return grids;
    }

    @ParameterizedTest(name = "{0}, {1} layers, {2} slices")
    @MethodSource("grids")
    void lossAndGradientsEqualThoseOfAPlainOneGraphModel(Family family, int layers, int slices) {
        ModelShape shape = Fixtures.tiny(family, layers, slices, 0);
        Batch batch = Batch.of(shape, 3, SEED);
        try (var trainer = new LibTorchTrainer(shape, SEED);
                var scope = new PointerScope()) {
            Fixtures.scatter(trainer, SEED);
            FloatBuffer gradient = Fixtures.direct(trainer.layout().size());
            float loss = trainer.gradient(1, 0, batch.tokens(), batch.targets(), gradient);
            var oracle = new PlainTransformer(trainer.layout(), trainer.parameters());
            double expected = oracle.lossAndGradients(batch.tokens(), batch.targets());
            assertThat((double) loss).isCloseTo(expected, within(1e-5 * expected));
            assertThat((double) trainer.evaluate(batch.tokens(), batch.targets()))
                    .isCloseTo(expected, within(1e-5 * expected));
            for (Parameter parameter : trainer.layout().parameters()) {
                assertThat(relativeError(oracle.gradientOf(parameter), gradient, parameter.offset()))
                        .as("%s of cell %s", parameter.name(), parameter.cell())
                        .isLessThan(1e-5);
            }
        }
    }

    /** Largest difference over the largest entry. */
    private static double relativeError(double[] expected, FloatBuffer actual, int offset) {
        double difference = 0;
        double largest = 0;
        for (int i = 0; i < expected.length; i++) {
            difference = Math.max(difference, Math.abs(expected[i] - actual.get(offset + i)));
            largest = Math.max(largest, Math.abs(expected[i]));
        }
        return difference / largest;
    }
}
