package io.myolotrain.worker.engine;

/**
 * Looks at the attention of a model over one example: a forward pass in float32 without dropout and without gradients, which
 * changes nothing of the model. Used by the trainer's thread.
 */
public interface AttentionProbe {

    /**
     * One number per layer and head, layer by layer; means over the example's positions.
     *
     * @param entropy of the weights with which a position looks at others, in nats; 0 = at one only
     * @param largestWeight the largest of these weights; 1 = at one only
     * @param outputNorm Euclidean norm of what the head hands on; a dead head's is 0
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
    record Activity(int layers, int heads, float[] entropy, float[] largestWeight, float[] outputNorm) {}

    /** @param tokens one sequence, (S) */
    Activity activity(int[] tokens);

    /**
     * @param tokens one sequence, (S)
     * @return weights of one head, query by query, (S, S)
     */
    float[] attention(int[] tokens, int layer, int head);
}
