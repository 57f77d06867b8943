package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.training.GradientClip;
import io.myolotrain.core.training.LearningRate;
import io.myolotrain.core.training.ParameterLayout.Shard;
import io.myolotrain.core.training.TreeSum;
import io.myolotrain.worker.engine.Trainer;
import java.nio.FloatBuffer;
import java.util.List;

/** Second half of a step, after every rank has voted for it: clip, then AdamW on the shards held here. No peer can fail it. */
final class UpdatePhase {
    private UpdatePhase() {}

    /**
     * @param gradientNorm global norm of the mean gradient, before clipping
     * @param squares sum of squares of each shard of the summed gradient
     */
    @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
    record Applied(double gradientNorm, double learningRate, double[] squares) {}

    static Applied apply(JobSession session, ReducedStep step) {
        TrainingConfig config = step.config();
        Trainer trainer = session.trainer();
        FloatBuffer gradient = session.reduced();
        List<Shard> shards = trainer.layout().shards();
        double[] squares = new double[shards.size()];
        for (Shard shard : shards) {
            squares[shard.index()] = trainer.squaredNorm(shard, gradient);
        }
        double norm = GradientClip.meanNorm(TreeSum.of(squares), step.microBatchesOfAll());
        double scale = GradientClip.scale(norm, config.clipNorm(), step.microBatchesOfAll());
        double learningRate = LearningRate.at(config, step.step());
        var hyper =
                new Trainer.AdamW(learningRate, config.beta1(), config.beta2(), config.epsilon(), config.weightDecay());
        for (Shard shard : shards) {
            if (session.shards().holds(shard.index())) {
                trainer.adamW(shard, gradient, scale, session.shards().floats(shard.index()), step.step(), hyper);
            }
        }
        session.committed(step);
        return new Applied(norm, learningRate, squares);
    }
}
