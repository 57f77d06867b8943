package io.myolotrain.worker.engine;

import io.myolotrain.core.model.ModelShape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

final class Fixtures {
    private Fixtures() {}

    static ModelShape tiny(ModelShape.Family family, int layers, int slices, double dropout) {
        return new ModelShape(family, layers, 16, 4, 8, 32, slices, dropout);
    }

    static FloatBuffer direct(int floats) {
        return ByteBuffer.allocateDirect(floats * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    static FloatBuffer copy(FloatBuffer source) {
        FloatBuffer copy = direct(source.limit());
        copy.duplicate().put(source.duplicate().position(0));
        return copy;
    }

    static final Trainer.AdamW ADAM_W = new Trainer.AdamW(1e-2, 0.9, 0.999, 1e-8, 0.01);

    /** Zero moments by shard. */
    static List<FloatBuffer> moments(Trainer trainer) {
        return trainer.layout().shards().stream()
                .map(shard -> direct(2 * shard.length()))
                .toList();
    }

    /** Every parameter away from its initial value, so that biases and norms count. */
    static void scatter(LibTorchTrainer trainer, long seed) {
        var random = new Random(seed);
        FloatBuffer parameters = trainer.parameters();
        for (int i = 0; i < parameters.limit(); i++) {
            parameters.put(i, (float) (random.nextGaussian() * 0.3));
        }
    }

    /** A micro-batch of a learnable sequence. BERT: every fifth token is masked, the others are not counted. */
    record Batch(int[] tokens, int[] targets) {
        static Batch of(ModelShape shape, int batch, long seed) {
            var random = new Random(seed);
            int s = shape.sequenceLength();
            int v = shape.vocabulary();
            int[] tokens = new int[batch * s];
            int[] targets = new int[batch * s];
            for (int b = 0; b < batch; b++) {
                int token = random.nextInt(v);
                for (int i = 0; i < s; i++) {
                    tokens[b * s + i] = token;
                    token = (token * 5 + 3) % v;
                    targets[b * s + i] = token;
                }
            }
            if (shape.family() == ModelShape.Family.BERT) {
                int[] original = tokens.clone();
                Arrays.fill(targets, Trainer.IGNORED);
                for (int i = 0; i < tokens.length; i += 5) {
                    targets[i] = original[i];
                    tokens[i] = 0;
                }
            }
            return new Batch(tokens, targets);
        }
    }
}
