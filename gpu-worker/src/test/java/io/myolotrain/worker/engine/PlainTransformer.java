package io.myolotrain.worker.engine;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Parameter;
import java.nio.FloatBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.AbstractTensor;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The oracle: the same mathematics as one plain graph in double precision, from the definitions (norm, GELU, softmax and
 * cross-entropy spelled out), on unsliced weights stitched from the layout. Shares no code with the engine.
 */
final class PlainTransformer {
    private final ModelShape shape;
    private final ParameterLayout layout;
    private final Map<String, Tensor> leaves = new LinkedHashMap<>();

    PlainTransformer(ParameterLayout layout, FloatBuffer parameters) {
        this.layout = layout;
        this.shape = layout.shape();
        for (Parameter parameter : layout.parameters()) {
            double[] values = new double[parameter.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = parameters.get(parameter.offset() + i);
            }
            long[] dims = parameter.dims().stream().mapToLong(d -> d).toArray();
            Tensor leaf = AbstractTensor.create(values, dims);
            leaf.set_requires_grad(true);
            leaves.put(key(parameter), leaf);
        }
    }

    private static String key(Parameter parameter) {
        return parameter.name() + "@" + parameter.cell().slice();
    }

    /** Mean loss over the targets that are not ignored; runs backward. */
    double lossAndGradients(int[] tokens, int[] targets) {
        int s = shape.sequenceLength();
        int b = tokens.length / s;
        Tensor x = plain("wte.weight")
                .index_select(0, longs(tokens))
                .view(b, s, shape.hidden())
                .add(plain("wpe.weight"));
        for (int layer = 0; layer < shape.layers(); layer++) {
            x = x.add(attention(norm(x, "h." + layer + ".ln_1"), "h." + layer + ".attn."));
            x = x.add(mlp(norm(x, "h." + layer + ".ln_2"), "h." + layer + ".mlp."));
        }
        Tensor scores = norm(x, "ln_f").matmul(plain("lm_head.weight").t()).view(-1, shape.vocabulary());
        Tensor logProbabilities = scores.sub(scores.logsumexp(new long[] {1}, true));
        Tensor sum = torch.zeros(new long[0]).to(torch.ScalarType.Double);
        int counted = 0;
        for (int i = 0; i < targets.length; i++) {
            if (targets[i] != Trainer.IGNORED) {
                sum = sum.sub(logProbabilities.select(0, i).select(0, targets[i]));
                counted++;
            }
        }
        Tensor loss = sum.div(new Scalar((double) counted));
        loss.backward();
        return loss.item_double();
    }

    double[] gradientOf(Parameter parameter) {
        Tensor gradient = leaves.get(key(parameter)).grad().contiguous();
        double[] values = new double[parameter.size()];
        gradient.data_ptr_double().get(values);
        return values;
    }

    private Tensor attention(Tensor h, String prefix) {
        int d = shape.hidden();
        int width = d / shape.slices();
        Tensor q = h.matmul(rows(prefix + "c_attn.weight", 0, width).t()).add(rows(prefix + "c_attn.bias", 0, width));
        Tensor k = h.matmul(rows(prefix + "c_attn.weight", 1, width).t()).add(rows(prefix + "c_attn.bias", 1, width));
        Tensor v = h.matmul(rows(prefix + "c_attn.weight", 2, width).t()).add(rows(prefix + "c_attn.bias", 2, width));
        int headWidth = d / shape.heads();
        var perHead = new TensorVector();
        for (int head = 0; head < shape.heads(); head++) {
            Tensor qh = q.narrow(2, (long) head * headWidth, headWidth);
            Tensor kh = k.narrow(2, (long) head * headWidth, headWidth);
            Tensor vh = v.narrow(2, (long) head * headWidth, headWidth);
            Tensor weights = qh.matmul(kh.transpose(1, 2))
                    .div(new Scalar(Math.sqrt(headWidth)))
                    .exp();
            if (shape.family() == ModelShape.Family.GPT) {
                weights = weights.tril();
            }
            perHead.push_back(
                    weights.div(weights.sum(new long[] {2}, true, NO_TYPE)).matmul(vh));
        }
        Tensor y = torch.cat(perHead, 2);
        return y.matmul(columns(prefix + "c_proj.weight").t()).add(plain(prefix + "c_proj.bias"));
    }

    private static final org.bytedeco.pytorch.ScalarTypeOptional NO_TYPE =
            new org.bytedeco.pytorch.ScalarTypeOptional();

    private Tensor mlp(Tensor h, String prefix) {
        int width = 4 * shape.hidden() / shape.slices();
        Tensor u = h.matmul(rows(prefix + "c_fc.weight", 0, width).t()).add(rows(prefix + "c_fc.bias", 0, width));
        Tensor inner = u.add(u.pow(new Scalar(3.0)).mul(new Scalar(0.044715))).mul(new Scalar(Math.sqrt(2 / Math.PI)));
        Tensor gelu = u.mul(inner.tanh().add(new Scalar(1.0))).mul(new Scalar(0.5));
        return gelu.matmul(columns(prefix + "c_proj.weight").t()).add(plain(prefix + "c_proj.bias"));
    }

    private Tensor norm(Tensor x, String name) {
        Tensor centred = x.sub(x.mean(new long[] {2}, true, NO_TYPE));
        Tensor variance = centred.mul(centred).mean(new long[] {2}, true, NO_TYPE);
        return centred.div(variance.add(new Scalar(1e-5)).sqrt())
                .mul(plain(name + ".weight"))
                .add(plain(name + ".bias"));
    }

    private Tensor plain(String name) {
        return leaves.get(name + "@-1");
    }

    /** Group {@code group} of {@code width} rows of every slice, one slice below the other. */
    private Tensor rows(String name, int group, int width) {
        var parts = new TensorVector();
        for (int slice = 0; slice < shape.slices(); slice++) {
            parts.push_back(leaves.get(name + "@" + slice).narrow(0, (long) group * width, width));
        }
        return torch.cat(parts, 0);
    }

    /** The slices' columns side by side. */
    private Tensor columns(String name) {
        var parts = new TensorVector();
        for (int slice = 0; slice < shape.slices(); slice++) {
            parts.push_back(leaves.get(name + "@" + slice));
        }
        return torch.cat(parts, 1);
    }

    private static Tensor longs(int[] values) {
        return AbstractTensor.create(
                java.util.Arrays.stream(values).asLongStream().toArray(), values.length);
    }
}
