package io.myolotrain.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.TrainingConfig.Precision;
import java.nio.FloatBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class AttentionProbeTest {
    private static final int LAYERS = 2;

    private static LibTorchTrainer trainer(ModelShape.Family family, int slices) {
        var trainer = new LibTorchTrainer(Fixtures.tiny(family, LAYERS, slices, 0.1), 3);
        Fixtures.scatter(trainer, 5);
        return trainer;
    }

    private static int[] tokens(LibTorchTrainer trainer) {
        return Fixtures.Batch.of(trainer.layout().shape(), 1, 9).tokens();
    }

    @Test
    void aHeadThatLooksEverywhereAlikeHasTheEntropyOfItsChoiceAndADeadOneHandsOnNothing() {
        try (LibTorchTrainer trainer = trainer(ModelShape.Family.GPT, 1)) {
            trainer.layout().parameters().stream()
                    .filter(p -> p.name().startsWith("h.1.attn.c_attn"))
                    .forEach(p -> {
                        for (int i = p.offset(); i < p.offset() + p.size(); i++) {
                            trainer.parameters().put(i, 0f);
                        }
                    });

            AttentionProbe.Activity activity = trainer.activity(tokens(trainer));

            int s = trainer.layout().shape().sequenceLength();
            double entropy = 0;
            double largest = 0;
            for (int position = 1; position <= s; position++) { // a causal position sees itself and those before
                entropy += Math.log(position) / s;
                largest += 1.0 / position / s;
            }
            int heads = activity.heads();
            for (int head = heads; head < 2 * heads; head++) {
                assertThat(activity.entropy()[head]).isCloseTo((float) entropy, within(1e-5f));
                assertThat(activity.largestWeight()[head]).isCloseTo((float) largest, within(1e-5f));
                assertThat(activity.outputNorm()[head]).isZero();
            }
            assertThat(activity.outputNorm()[0]).isPositive();
            assertThat(activity.entropy()[0]).isLessThan((float) entropy);
        }
    }

    @Test
    void aMapHoldsWeightsThatSumToOneAndNothingOfTheFuture() {
        for (int slices : new int[] {1, 2}) {
            try (LibTorchTrainer trainer = trainer(ModelShape.Family.GPT, slices)) {
                int[] tokens = tokens(trainer);
                int s = tokens.length;
                AttentionProbe.Activity activity = trainer.activity(tokens);
                for (int head = 0; head < activity.heads(); head++) {
                    float[] map = trainer.attention(tokens, 1, head);
                    double entropy = 0;
                    for (int query = 0; query < s; query++) {
                        float sum = 0;
                        for (int key = 0; key < s; key++) {
                            float weight = map[query * s + key];
                            sum += weight;
                            entropy -= weight == 0 ? 0 : weight * Math.log(weight) / s;
                            if (key > query) {
                                assertThat(weight).isZero();
                            }
                        }
                        assertThat(sum).isCloseTo(1f, within(1e-5f));
                    }
                    assertThat(activity.entropy()[activity.heads() + head])
                            .as("slices=%d head=%d", slices, head)
                            .isCloseTo((float) entropy, within(1e-4f));
                }
            }
        }
    }

    @Test
    void lookingChangesNoBitOfTheNextGradient() {
        for (ModelShape.Family family : ModelShape.Family.values()) {
            for (Precision precision : Precision.values()) {
                try (LibTorchTrainer trainer = trainer(family, 2)) {
                    trainer.precision(precision);
                    var batch = Fixtures.Batch.of(trainer.layout().shape(), 2, 1);
                    float[] before = gradient(trainer, batch);
                    FloatBuffer parameters = Fixtures.copy(trainer.parameters());

                    trainer.activity(tokens(trainer));
                    trainer.attention(tokens(trainer), 0, 3);

                    assertThat(gradient(trainer, batch))
                            .as(family + " " + precision)
                            .isEqualTo(before);
                    assertThat(trainer.parameters()).isEqualTo(parameters);
                }
            }
        }
    }

    private static float[] gradient(LibTorchTrainer trainer, Fixtures.Batch batch) {
        FloatBuffer gradient = Fixtures.direct(trainer.layout().size());
        trainer.gradient(1, 0, batch.tokens(), batch.targets(), gradient);
        float[] values = new float[gradient.limit()];
        gradient.get(0, values);
        return values;
    }

    @Test
    void whatTheModelDoesNotHaveIsRefusedWithItsSizes() {
        try (LibTorchTrainer trainer = trainer(ModelShape.Family.BERT, 1)) {
            int[] tokens = tokens(trainer);
            assertThatThrownBy(() -> trainer.attention(tokens, LAYERS, 0))
                    .hasMessageContaining("layer=2 head=0 layers=2");
            assertThatThrownBy(() -> trainer.activity(Arrays.copyOf(tokens, 3)))
                    .hasMessageContaining("tokens=3 sequenceLength=8");
        }
    }
}
