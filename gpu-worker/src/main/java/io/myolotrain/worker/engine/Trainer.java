package io.myolotrain.worker.engine;

import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Shard;
import java.nio.FloatBuffer;
import java.util.Optional;

/**
 * One model on one device. Gradients of one micro-batch at a time; sums, averaging and clipping are the caller's. Used by
 * one thread; the buffers are views of native memory and live until {@link #close}.
 */
public interface Trainer extends AutoCloseable {
    ParameterLayout layout();

    /** All parameters, {@code layout().size()} floats. Writing here changes the model. */
    FloatBuffer parameters();

    /** Sets every parameter to its initial value, a function of the job's seed. */
    void initialise();

    /**
     * Forward and backward of one micro-batch.
     *
     * @param tokens (B, S) inputs, row-major, values below the vocabulary
     * @param targets (B, S) targets; {@link #IGNORED} marks positions without loss
     * @param gradient receives the gradient of the mean loss, {@code layout().size()} floats, overwritten
     * @return mean loss
     */
    float gradient(long step, int microBatch, int[] tokens, int[] targets, FloatBuffer gradient);

    /** When the last call of {@link #gradient} went over to its backward pass, {@link System#nanoTime}; 0 = not known. */
    default long backwardStartedNanos() {
        return 0;
    }

    /** Empty for a model whose attention can't be looked at. */
    default Optional<AttentionProbe> attentionProbe() {
        return Optional.empty();
    }

    int IGNORED = -100; // torch's ignore_index

    /** Mean loss without dropout and without gradients. */
    float evaluate(int[] tokens, int[] targets);

    /** Sum of squares of the shard's part of {@code gradient}: same bits wherever it is computed. */
    double squaredNorm(Shard shard, FloatBuffer gradient);

    /**
     * AdamW (decoupled weight decay, arXiv 1711.05101) on one shard, in place.
     *
     * @param gradient full flat buffer; the shard's part is read
     * @param gradientScale multiplies the gradient first (averaging and clipping)
     * @param moments {@code 2 × shard.length()} floats: first moments, then second
     * @param step number of this update, from 1: bias correction
     */
    void adamW(Shard shard, FloatBuffer gradient, double gradientScale, FloatBuffer moments, long step, AdamW hyper);

    /** Values of one update. */
    record AdamW(double learningRate, double beta1, double beta2, double epsilon, double weightDecay) {}

    void precision(io.myolotrain.core.model.TrainingConfig.Precision precision);

    @Override
    void close();
}
