package io.myolotrain.worker.engine;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Cell;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;

/** Last cell of the pipeline: final norm and the scores over the vocabulary. */
final class Head {
    private final Operators operators;
    private final TensorOptional normWeight;
    private final TensorOptional normBias;
    private final Tensor scores; // (V, D)

    Head(ModelShape shape, Weights weights, Operators operators) {
        this.operators = operators;
        var cell = new Cell(shape.layers(), ParameterLayout.UNSLICED);
        normWeight = weights.optional(cell, "ln_f.weight");
        normBias = weights.optional(cell, "ln_f.bias");
        scores = weights.get(cell, "lm_head.weight");
    }

    /** @param x (B, S, D); result (B, S, V) */
    Tensor forward(Tensor x) {
        return operators.linear(operators.norm(x, normWeight, normBias), scores);
    }
}
