package io.myolotrain.worker.engine;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Cell;
import io.myolotrain.core.training.RandomStreams.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;

/**
 * One transformer block, pre-norm: the unsliced cell of its layer, and T slices.
 *
 * <pre>
 *   x ── ln_1 ──┬─ slice 0: heads ─┐
 *   │           ├─ …               Σ (tree) + bias ── dropout ── + x ── ln_2 ──┬─ slice 0: MLP columns ─┐
 *   │           └─ slice T-1 ──────┘                               │           └─ …                     Σ …
 *   └──────────────────────────────────────────────────────────────┘
 * </pre>
 */
final class Block {
    private final Operators operators;
    private final int layer;
    private final TensorOptional norm1Weight;
    private final TensorOptional norm1Bias;
    private final TensorOptional attentionBias;
    private final TensorOptional norm2Weight;
    private final TensorOptional norm2Bias;
    private final TensorOptional mlpBias;
    private final List<BlockSlice> slices = new ArrayList<>();

    Block(ModelShape shape, int layer, Weights weights, Operators operators) {
        this.operators = operators;
        this.layer = layer;
        var cell = new Cell(layer, ParameterLayout.UNSLICED);
        norm1Weight = weights.optional(cell, "ln_1.weight");
        norm1Bias = weights.optional(cell, "ln_1.bias");
        attentionBias = weights.optional(cell, "attn.c_proj.bias");
        norm2Weight = weights.optional(cell, "ln_2.weight");
        norm2Bias = weights.optional(cell, "ln_2.bias");
        mlpBias = weights.optional(cell, "mlp.c_proj.bias");
        for (int slice = 0; slice < shape.slices(); slice++) {
            slices.add(new BlockSlice(shape, new Cell(layer, slice), weights, operators));
        }
    }

    /** @param x (B, S, D) */
    Tensor forward(Tensor x, Dropout dropout, BiFunction<BlockSlice, Tensor, Tensor> attention) {
        Tensor attended = overSlices(
                operators.norm(x, norm1Weight, norm1Bias), attentionBias, attention, BlockSlice::projectHeads);
        x = x.add(dropout.apply(attended, Site.ATTENTION_DROPOUT, layer));
        Tensor mixed = overSlices(
                operators.norm(x, norm2Weight, norm2Bias), mlpBias, BlockSlice::expand, BlockSlice::projectColumns);
        return x.add(dropout.apply(mixed, Site.MLP_DROPOUT, layer));
    }

    /** Runs each slice on its copy of the input, projects back to (B, S, D), sums over slices and adds the bias once. */
    private Tensor overSlices(
            Tensor input, TensorOptional bias, BiFunction<BlockSlice, Tensor, Tensor> inner, Projection projection) {
        if (slices.size() == 1) {
            BlockSlice only = slices.get(0);
            return projection.apply(only, inner.apply(only, input), bias); // the product's kernel adds the bias
        }
        Tensor[] inputs = SliceTree.fanOut(input, slices.size());
        var parts = new Tensor[slices.size()];
        for (int i = 0; i < parts.length; i++) {
            BlockSlice slice = slices.get(i);
            parts[i] = projection.apply(slice, inner.apply(slice, inputs[i]), operators.noTensor());
        }
        return SliceTree.sum(parts).add(bias.get());
    }

    private interface Projection {
        Tensor apply(BlockSlice slice, Tensor input, TensorOptional bias);
    }
}
