package io.myolotrain.worker.engine;

import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Cell;
import io.myolotrain.core.training.RandomStreams.Site;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** First cell of the pipeline: token and position embeddings. */
final class Embedding {
    private final Tensor tokenTable; // (V, D)
    private final Tensor positionTable; // (S, D)

    Embedding(Weights weights) {
        var cell = new Cell(ParameterLayout.EMBEDDING_LAYER, ParameterLayout.UNSLICED);
        tokenTable = weights.get(cell, "wte.weight");
        positionTable = weights.get(cell, "wpe.weight");
    }

    /** @param tokens (B, S) */
    Tensor forward(Tensor tokens, Dropout dropout) {
        Tensor x = torch.embedding(tokenTable, tokens).add(positionTable); // (B, S, D)
        return dropout.apply(x, Site.EMBEDDING_DROPOUT, ParameterLayout.EMBEDDING_LAYER);
    }
}
