package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.training.TreeSum;
import io.myolotrain.worker.data.MicroBatch;

/**
 * Mean loss over the first held-out micro-batches, every so many steps. The micro-batches are spread over the ranks and
 * summed in tree order, so that the number does not depend on the plan either.
 */
final class Validation {
    static final int MICRO_BATCHES_MAX = 16;

    private final StepReports reports;

    Validation(StepReports reports) {
        this.reports = reports;
    }

    void afterStep(World world, JobSession job, WorkerRef worker) {
        TrainingConfig config = world.plan().config();
        if (config.evalEverySteps() == 0 || job.committedStep() % config.evalEverySteps() != 0) {
            return;
        }
        double loss = loss(world, job);
        if (world.me().rank().value() == 0) {
            reports.validationLoss(job, worker, world, loss);
        }
    }

    private static double loss(World world, JobSession job) {
        int count = (int) Math.min(MICRO_BATCHES_MAX, job.batches().validationBatches());
        int ranks = world.plan().worldSize();
        int perRank = (count + ranks - 1) / ranks;
        int first = Math.min(count, world.me().rank().value() * perRank);
        int end = Math.min(count, first + perRank);
        long[] mine = new long[perRank];
        for (int index = first; index < end; index++) {
            MicroBatch batch = job.batches().validation(index);
            mine[index - first] = Double.doubleToRawLongBits(job.trainer().evaluate(batch.tokens(), batch.targets()));
        }
        long[] all = world.members().allGather(mine);
        double[] losses = new double[count];
        for (int index = 0; index < count; index++) {
            losses[index] = Double.longBitsToDouble(all[index]);
        }
        return TreeSum.of(losses) / count;
    }
}
