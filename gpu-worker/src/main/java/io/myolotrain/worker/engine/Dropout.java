package io.myolotrain.worker.engine;

import io.myolotrain.core.training.RandomStreams;
import io.myolotrain.core.training.RandomStreams.Site;
import io.myolotrain.core.training.RandomStreams.Stream;
import java.nio.FloatBuffer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Zeroes activations at random and scales the others, or passes them on. */
interface Dropout {
    Dropout NONE = (x, site, layer) -> x;

    Tensor apply(Tensor x, Site site, int layer);

    /**
     * Masks that are a function of job seed, step, micro-batch, layer and site alone; LibTorch's own generators draw in
     * sequence, and cost ten times as much. 16 random bits decide an element, so the probability is a multiple of 2^-16.
     */
    static Dropout of(RandomStreams streams, double probability, long step, int microBatch) {
        int threshold = (int) Math.round(probability * (1 << 16));
        if (threshold == 0) {
            return NONE;
        }
        float scale = (float) (1.0 / (1.0 - threshold / (double) (1 << 16)));
        return (x, site, layer) -> {
            Tensor mask = torch.empty(x.shape());
            fill(mask, streams.stream(site, step, microBatch, layer, -1), threshold, scale);
            return x.mul(mask);
        };
    }

    private static void fill(Tensor mask, Stream stream, int threshold, float scale) {
        int size = Math.toIntExact(mask.numel());
        FloatPointer pointer = mask.data_ptr_float();
        FloatBuffer out = pointer.capacity(size).asBuffer();
        int whole = size & ~3;
        for (int i = 0; i < whole; i += 4) {
            long bits = stream.bits(i >> 2);
            out.put(i, keep(bits, threshold, scale));
            out.put(i + 1, keep(bits >>> 16, threshold, scale));
            out.put(i + 2, keep(bits >>> 32, threshold, scale));
            out.put(i + 3, keep(bits >>> 48, threshold, scale));
        }
        for (int i = whole; i < size; i++) {
            out.put(i, keep(stream.bits(i >> 2) >>> (16 * (i & 3)), threshold, scale));
        }
    }

    private static float keep(long bits, int threshold, float scale) {
        return (bits & 0xffff) < threshold ? 0 : scale;
    }
}
