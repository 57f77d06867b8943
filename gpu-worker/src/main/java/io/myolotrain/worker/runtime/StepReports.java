package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.worker.readings.CommittedStep;
import io.myolotrain.worker.readings.Names;
import io.myolotrain.worker.readings.WorkerReadings;
import java.time.Clock;
import java.util.Arrays;

/** Turns a committed step into its completion event and its metric readings. */
final class StepReports {
    private final WorkerEvents events;
    private final WorkerReadings readings;
    private final Clock clock;

    StepReports(WorkerEvents events, WorkerReadings readings, Clock clock) {
        this.events = events;
        this.readings = readings;
        this.clock = clock;
    }

    WorkerReadings readings() {
        return readings;
    }

    /** Every rank has the updated parameters. */
    void committed(JobSession job, WorkerRef worker, ReducedStep step, UpdatePhase.Applied applied, long stepMicros) {
        report(job, worker, step, applied, stepMicros, true);
    }

    /** The step is committed here, and the other ranks' parameters are still to come. */
    void rolledForward(
            JobSession job, WorkerRef worker, ReducedStep step, UpdatePhase.Applied applied, long stepMicros) {
        report(job, worker, step, applied, stepMicros, false);
    }

    private void report(
            JobSession job,
            WorkerRef worker,
            ReducedStep step,
            UpdatePhase.Applied applied,
            long stepMicros,
            boolean parametersComplete) {
        int microBatch = job.spec().microBatch();
        events.report(new Event.StepCompleted(
                job.job(),
                job.spec().attempt(),
                step.generation(),
                step.step(),
                step.rank(),
                worker,
                step.microBatches(),
                step.samplePosition(),
                step.microBatches().count() * microBatch,
                step.samplesCrc(),
                step.lossMean(),
                applied.gradientNorm(),
                applied.learningRate(),
                stepMicros));
        int sequence = job.spec().model().sequenceLength();
        readings.committed(new CommittedStep(
                line(job, step.generation()),
                step.step(),
                worker.id(),
                step.rank().value(),
                job.trainer(),
                job.reduced(),
                1.0 / step.microBatchesOfAll(),
                applied.squares(),
                step.lossMean(),
                applied.gradientNorm(),
                applied.learningRate(),
                job.samples(),
                (long) step.config().globalBatch() * sequence,
                step.startedNanos(),
                stepMicros,
                step.allReduceNanos(),
                parametersComplete,
                sample -> heldOut(job, sample)));
    }

    private static int[] heldOut(JobSession job, long sample) {
        int sequence = job.spec().model().sequenceLength();
        int microBatch = job.spec().microBatch();
        long wrapped = sample % (job.batches().validationBatches() * microBatch);
        int[] tokens = job.batches().validation((int) (wrapped / microBatch)).tokens();
        int row = (int) (wrapped % microBatch);
        return Arrays.copyOfRange(tokens, row * sequence, (row + 1) * sequence);
    }

    void validationLoss(JobSession job, WorkerRef worker, World world, double loss) {
        var origin = new Origin(
                line(job, world.generation()),
                job.committedStep(),
                worker.id(),
                world.me().rank().value(),
                clock.millis());
        readings.scalar(origin, Names.VALIDATION_LOSS, loss);
    }

    private static Line line(JobSession job, Generation generation) {
        return new Line(job.spec().pool(), job.job(), job.spec().attempt(), generation);
    }
}
