package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.sampling.Spans.Phase;
import io.myolotrain.core.training.BlockAccumulator;
import io.myolotrain.core.training.ReductionTree;
import io.myolotrain.worker.data.MicroBatch;
import io.myolotrain.worker.data.SamplesCrc;
import io.myolotrain.worker.readings.SpanRecorder;
import java.nio.FloatBuffer;

/**
 * First half of a step: this rank's micro-batches, then the sum over all ranks' in tree order. The loss travels as one more
 * float behind the gradient, so that it is summed in the same order.
 */
final class GradientPhase {
    private GradientPhase() {}

    /** @return the reduced step, which the session holds from here on until it is committed or discarded */
    static ReducedStep run(World world, JobSession session, SpanRecorder spans) {
        long started = System.nanoTime();
        long step = session.committedStep() + 1;
        MicroBatchRange block = world.me().microBatches();
        BlockAccumulator accumulator = session.accumulator();
        accumulator.begin(new ReductionTree(world.plan().microBatches()), block);
        int parameters = session.trainer().layout().size();
        var crc = new SamplesCrc();
        for (int index = block.first(); index < block.end(); index++) {
            long loading = System.nanoTime();
            MicroBatch batch = session.batches().at(step, session.samples(), index);
            long computing = System.nanoTime();
            spans.computed(Phase.DATA, loading, computing);
            crc.add(batch);
            FloatBuffer leaf = accumulator.take();
            float loss =
                    session.trainer().gradient(step, index, batch.tokens(), batch.targets(), leaf.slice(0, parameters));
            recordPasses(spans, computing, session.trainer().backwardStartedNanos());
            accumulator.push(leaf.put(parameters, loss));
        }
        FloatBuffer sum = session.reducedWithLoss();
        long reducing = System.nanoTime();
        GradientBuckets.STANDARD.allReduce(world.members(), world.reduction(), accumulator.partials(), sum, spans);
        long reduced = System.nanoTime();
        var held = new ReducedStep(
                step,
                world.generation(),
                world.me().rank(),
                block,
                world.plan().config(),
                world.plan().microBatches(),
                sum.get(parameters) / (double) world.plan().microBatches(),
                session.samples() + (long) block.first() * session.spec().microBatch(),
                crc.value(),
                started,
                reduced - reducing);
        session.holdReduced(held);
        return held;
    }

    /** @param turned when forward went over to backward; a trainer that does not tell has no forward span */
    private static void recordPasses(SpanRecorder spans, long began, long turned) {
        long ended = System.nanoTime();
        if (turned > began) {
            spans.computed(Phase.FORWARD, began, turned);
        }
        spans.computed(Phase.BACKWARD, Math.max(began, turned), ended);
    }
}
