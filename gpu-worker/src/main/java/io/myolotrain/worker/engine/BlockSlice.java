package io.myolotrain.worker.engine;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.training.ParameterLayout.Cell;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;

/** One tensor slice of a block: H/T attention heads and 4D/T columns of the MLP (Megatron, arXiv 1909.08053). */
final class BlockSlice {
    private static final long[] QKV_FIRST = {2, 0, 3, 1, 4};

    private final Cell cell;
    private final Operators operators;
    private final int heads;
    private final int headWidth;
    private final Tensor attentionWeight; // (3D/T, D): queries, keys, values
    private final TensorOptional attentionBias;
    private final Tensor headProjection; // (D, D/T)
    private final Tensor expansionWeight; // (4D/T, D)
    private final TensorOptional expansionBias;
    private final Tensor columnProjection; // (D, 4D/T)

    BlockSlice(ModelShape shape, Cell cell, Weights weights, Operators operators) {
        this.cell = cell;
        this.operators = operators;
        heads = shape.heads() / shape.slices();
        headWidth = shape.hidden() / shape.heads();
        attentionWeight = weights.get(cell, "attn.c_attn.weight");
        attentionBias = weights.optional(cell, "attn.c_attn.bias");
        headProjection = weights.get(cell, "attn.c_proj.weight");
        expansionWeight = weights.get(cell, "mlp.c_fc.weight");
        expansionBias = weights.optional(cell, "mlp.c_fc.bias");
        columnProjection = weights.get(cell, "mlp.c_proj.weight");
    }

    Cell cell() {
        return cell;
    }

    /** @param x (B, S, D); result (B, S, D/T) */
    Tensor attend(Tensor x, AttentionKernel kernel) {
        return attend(
                x,
                switch (kernel) {
                    case FUSED -> operators::fusedAttention;
                    case EXPLICIT -> operators::explicitAttention;
                });
    }

    /** What the heads make of their queries, keys and values, (B, H/T, S, d) each. */
    interface Heads {
        Tensor attend(Tensor q, Tensor k, Tensor v);
    }

    Tensor attend(Tensor x, Heads attention) {
        long b = x.size(0);
        long s = x.size(1);
        Tensor qkv = operators
                .linear(x, attentionWeight, attentionBias)
                .view(b, s, 3, heads, headWidth)
                .permute(QKV_FIRST); // (3, B, H/T, S, d)
        Tensor y = attention.attend(qkv.select(0, 0), qkv.select(0, 1), qkv.select(0, 2));
        return y.transpose(1, 2).reshape(b, s, (long) heads * headWidth);
    }

    /** Partial output of the slice's heads, (B, S, D). */
    Tensor projectHeads(Tensor y, TensorOptional bias) {
        return operators.linear(y, headProjection, bias);
    }

    /** @param x (B, S, D); result (B, S, 4D/T) */
    Tensor expand(Tensor x) {
        return operators.gelu(operators.linear(x, expansionWeight, expansionBias));
    }

    /** Partial output of the slice's columns, (B, S, D). */
    Tensor projectColumns(Tensor y, TensorOptional bias) {
        return operators.linear(y, columnProjection, bias);
    }
}
