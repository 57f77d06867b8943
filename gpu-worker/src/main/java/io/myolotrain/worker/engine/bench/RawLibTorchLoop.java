package io.myolotrain.worker.engine.bench;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.worker.engine.NativeLibraries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AbstractTensor;
import org.bytedeco.pytorch.AdamW;
import org.bytedeco.pytorch.AdamWOptions;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * A GPT trained the plain way: one graph, separate parameter tensors, LibTorch's own AdamW; float32, no dropout. Knows
 * nothing of cells, plans or logs. Used by one thread.
 */
public final class RawLibTorchLoop implements AutoCloseable {
    private final ModelShape shape;
    private final int batch;
    private final List<Pointer> owned = new ArrayList<>();
    private final List<Layer> layers = new ArrayList<>();
    private final List<Tensor> parameters = new ArrayList<>();
    private final TensorOptional none;
    private final DoubleOptional defaultScale;
    private final Tensor tokenTable;
    private final Tensor positionTable;
    private final Tensor positions;
    private final Affine finalNorm;
    private final Tensor head;
    private final AdamW optimizer;

    private record Affine(Tensor weight, TensorOptional optionalWeight, TensorOptional bias) {}

    private record Layer(Affine norm1, Affine qkv, Affine projection, Affine norm2, Affine up, Affine down) {}

    public RawLibTorchLoop(ModelShape shape, int batch, long seed, double learningRate, double weightDecay) {
        NativeLibraries.load();
        this.shape = shape;
        this.batch = batch;
        int d = shape.hidden();
        try (var scope = new PointerScope()) {
            none = own(new TensorOptional());
            defaultScale = own(new DoubleOptional());
            torch.manual_seed(seed);
            tokenTable = normal(shape.vocabulary(), d);
            positionTable = normal(shape.sequenceLength(), d);
            positions = own(torch.arange(new Scalar(shape.sequenceLength()), new TensorOptions(torch.ScalarType.Long)));
            for (int i = 0; i < shape.layers(); i++) {
                layers.add(new Layer(
                        norm(d), linear(3 * d, d), linear(d, d), norm(d), linear(4 * d, d), linear(d, 4 * d)));
            }
            finalNorm = norm(d);
            head = normal(shape.vocabulary(), d);
            var options = new AdamWOptions(learningRate);
            options.weight_decay().put(weightDecay);
            optimizer = own(new AdamW(new TensorVector(parameters.toArray(Tensor[]::new)), options));
        }
    }

    /** Parameters of the model. */
    public long size() {
        return parameters.stream().mapToLong(Tensor::numel).sum();
    }

    /** One update. Arrays are (B, S), row-major; returns the mean loss before the update. */
    public float step(int[] tokens, int[] targets) {
        try (var scope = new PointerScope()) {
            optimizer.zero_grad();
            Tensor logits = forward(longs(tokens).view(batch, shape.sequenceLength()));
            Tensor loss = torch.cross_entropy_loss(logits.view(-1, shape.vocabulary()), longs(targets));
            loss.backward();
            optimizer.step();
            return loss.item_float();
        }
    }

    /** Median wall time of one step on a fixed pseudo-random batch. */
    public double medianStepMillis(int warm, int steps) {
        int[] tokens = new int[batch * shape.sequenceLength()];
        int[] targets = new int[tokens.length];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = (int) (((i * 2_654_435_761L) >>> 7) % shape.vocabulary());
            targets[i] = (int) ((((i + 1) * 2_654_435_761L) >>> 7) % shape.vocabulary());
        }
        var millis = new double[steps];
        for (int i = -warm; i < steps; i++) {
            long start = System.nanoTime();
            step(tokens, targets);
            if (i >= 0) {
                millis[i] = (System.nanoTime() - start) / 1e6;
            }
        }
        Arrays.sort(millis);
        return millis[steps / 2];
    }

    private Tensor forward(Tensor tokens) {
        Tensor x = torch.embedding(tokenTable, tokens).add(torch.embedding(positionTable, positions));
        for (Layer layer : layers) {
            x = x.add(attention(norm(x, layer.norm1), layer));
            Tensor hidden = torch.gelu(linear(norm(x, layer.norm2), layer.up), "tanh");
            x = x.add(linear(hidden, layer.down));
        }
        return torch.linear(norm(x, finalNorm), head);
    }

    private Tensor attention(Tensor x, Layer layer) {
        long b = x.size(0);
        long s = x.size(1);
        int h = shape.heads();
        Tensor qkv = linear(x, layer.qkv).view(b, s, 3, h, shape.hidden() / h).permute(2, 0, 3, 1, 4);
        Tensor y = torch.scaled_dot_product_attention(
                qkv.select(0, 0), qkv.select(0, 1), qkv.select(0, 2), none, 0.0, true, defaultScale, false);
        return linear(y.transpose(1, 2).reshape(b, s, shape.hidden()), layer.projection);
    }

    private Tensor linear(Tensor x, Affine affine) {
        return torch.linear(x, affine.weight, affine.bias);
    }

    private Tensor norm(Tensor x, Affine affine) {
        return torch.layer_norm(x, new long[] {shape.hidden()}, affine.optionalWeight, affine.bias, 1e-5, true);
    }

    private static Tensor longs(int[] values) {
        return AbstractTensor.create(Arrays.stream(values).asLongStream().toArray(), values.length);
    }

    private Affine linear(int out, int in) {
        return affine(normal(out, in), parameter(torch.zeros(out)));
    }

    private Affine norm(int width) {
        return affine(parameter(torch.ones(width)), parameter(torch.zeros(width)));
    }

    private Affine affine(Tensor weight, Tensor bias) {
        return new Affine(weight, own(new TensorOptional(weight)), own(new TensorOptional(bias)));
    }

    private Tensor normal(long... dims) {
        return parameter(torch.randn(dims).mul_(new Scalar(0.02)));
    }

    private Tensor parameter(Tensor tensor) {
        tensor.set_requires_grad(true);
        parameters.add(own(tensor));
        return tensor;
    }

    private <P extends Pointer> P own(P pointer) {
        pointer.retainReference();
        owned.add(pointer);
        return pointer;
    }

    @Override
    public void close() {
        for (int i = owned.size() - 1; i >= 0; i--) {
            owned.get(i).releaseReference();
        }
        owned.clear();
    }
}
