package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.TrainingConfig.Precision;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Shard;
import io.myolotrain.worker.engine.Trainer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Stands in for LibTorch where the protocol is under test: no model, but gradients that depend on parameters, data, step and
 * micro-batch, and whose sum depends on the order of addition, so that a mistake in the protocol changes the bits.
 */
final class ToyTrainer implements Trainer {
    private final ParameterLayout layout;
    private final FloatBuffer parameters;

    ToyTrainer(ModelShape shape) {
        this.layout = ParameterLayout.of(shape);
        this.parameters = ByteBuffer.allocateDirect(Float.BYTES * layout.size())
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    @Override
    public ParameterLayout layout() {
        return layout;
    }

    @Override
    public FloatBuffer parameters() {
        return parameters.duplicate();
    }

    @Override
    public void initialise() {
        for (int i = 0; i < layout.size(); i++) {
            parameters.put(i, (float) Math.sin(i));
        }
    }

    @Override
    public float gradient(long step, int microBatch, int[] tokens, int[] targets, FloatBuffer gradient) {
        long hash = step * 31 + microBatch;
        for (int token : tokens) {
            hash = hash * 1_000_003 + token;
        }
        float scale = (hash >>> 40) / 1e6f;
        for (int i = 0; i < layout.size(); i++) {
            gradient.put(i, parameters.get(i) * scale + 1f / (1 + (i + microBatch) % 7));
        }
        return scale;
    }

    @Override
    public float evaluate(int[] tokens, int[] targets) {
        return parameters.get(0) * tokens[0];
    }

    @Override
    public double squaredNorm(Shard shard, FloatBuffer gradient) {
        double sum = 0;
        for (int i = shard.offset(); i < shard.offset() + shard.length(); i++) {
            sum += gradient.get(i) * gradient.get(i);
        }
        return sum;
    }

    @Override
    public void adamW(
            Shard shard, FloatBuffer gradient, double gradientScale, FloatBuffer moments, long step, AdamW hyper) {
        for (int i = 0; i < shard.length(); i++) {
            float g = (float) (gradient.get(shard.offset() + i) * gradientScale);
            float m = (float) (hyper.beta1() * moments.get(i) + (1 - hyper.beta1()) * g);
            float v = (float) (hyper.beta2() * moments.get(shard.length() + i) + (1 - hyper.beta2()) * g * g);
            moments.put(i, m).put(shard.length() + i, v);
            double update = m / (Math.sqrt(v) + hyper.epsilon());
            int at = shard.offset() + i;
            parameters.put(at, (float) (parameters.get(at) - hyper.learningRate() * update));
        }
    }

    @Override
    public void precision(Precision precision) {
        if (precision != Precision.FLOAT32) {
            throw new IllegalArgumentException("the toy computes in float32 only: precision=" + precision);
        }
    }

    @Override
    public void close() {}
}
