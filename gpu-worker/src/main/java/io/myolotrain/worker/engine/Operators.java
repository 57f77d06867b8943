package io.myolotrain.worker.engine;

import io.myolotrain.core.model.ModelShape;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/** ATen calls with the arguments that a transformer of this shape always passes. */
final class Operators implements AutoCloseable {
    private static final double NORM_EPSILON = 1e-5; // GPT-2
    private static final long MEAN_REDUCTION = 1;

    private final NativeOwner owner = new NativeOwner();
    private final long[] normalized;
    private final boolean causal;
    private final Tensor future;
    private final TensorOptional noTensor = owner.own(new TensorOptional());
    private final DoubleOptional defaultScale = owner.own(new DoubleOptional());
    private final BytePointer tanh = owner.own(new BytePointer("tanh"));
    private final Scalar scoreScale;
    private final Scalar minusInfinity = owner.own(new Scalar(Double.NEGATIVE_INFINITY));

    Operators(ModelShape shape) {
        normalized = new long[] {shape.hidden()};
        causal = shape.family() == ModelShape.Family.GPT;
        scoreScale = owner.own(new Scalar(1.0 / Math.sqrt((double) shape.hidden() / shape.heads())));
        int s = shape.sequenceLength();
        future = owner.own(torch.ones(s, s).triu(1).to(torch.ScalarType.Bool)); // (S, S), true above the diagonal
    }

    TensorOptional noTensor() {
        return noTensor;
    }

    Tensor linear(Tensor x, Tensor weight, TensorOptional bias) {
        return torch.linear(x, weight, bias);
    }

    Tensor linear(Tensor x, Tensor weight) {
        return torch.linear(x, weight, noTensor);
    }

    Tensor norm(Tensor x, TensorOptional weight, TensorOptional bias) {
        return torch.layer_norm(x, normalized, weight, bias, NORM_EPSILON, true);
    }

    /** GPT-2's approximation of GELU (arXiv 1606.08415). */
    Tensor gelu(Tensor x) {
        return torch.gelu(x, tanh);
    }

    /** @param q queries (B, heads, S, d); keys and values alike */
    Tensor fusedAttention(Tensor q, Tensor k, Tensor v) {
        return torch.scaled_dot_product_attention(q, k, v, noTensor, 0.0, causal, defaultScale, false);
    }

    /** The same in single steps: four times faster than the fused kernel under bfloat16 on CPUs. */
    Tensor explicitAttention(Tensor q, Tensor k, Tensor v) {
        return torch.matmul(attentionWeights(q, k), v);
    }

    /** How much each query looks at each key, (B, heads, S, S). */
    Tensor attentionWeights(Tensor q, Tensor k) {
        Tensor scores = torch.matmul(q, k.transpose(-2, -1)).mul(scoreScale);
        if (causal) {
            scores = scores.masked_fill(future, minusInfinity);
        }
        return scores.softmax(-1);
    }

    /** @return mean over the targets that are not ignored */
    Tensor crossEntropy(Tensor logits, Tensor targets) {
        return torch.cross_entropy_loss(logits, targets, noTensor, MEAN_REDUCTION, Trainer.IGNORED, 0.0);
    }

    @Override
    public void close() {
        owner.close();
    }
}
