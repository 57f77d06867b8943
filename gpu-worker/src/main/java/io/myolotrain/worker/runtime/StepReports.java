package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.sampling.Reading;
import java.time.Clock;

/** Turns a committed step into its completion event and its metric readings. */
final class StepReports {
    private final WorkerEvents events;
    private final Clock clock;

    StepReports(WorkerEvents events, Clock clock) {
        this.events = events;
        this.clock = clock;
    }

    void committed(JobSession job, WorkerRef worker, ReducedStep step, UpdatePhase.Applied applied, long stepMicros) {
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
        reading(job, worker, step, "comm.all_reduce_micros", step.allReduceNanos() / 1e3);
        reading(job, worker, step, "step.micros", (double) stepMicros);
        if (step.rank().value() == 0) {
            double tokens =
                    (double) step.config().globalBatch() * job.spec().model().sequenceLength();
            reading(job, worker, step, "train.loss", step.lossMean());
            reading(job, worker, step, "train.learning_rate", applied.learningRate());
            reading(job, worker, step, "train.gradient_norm", applied.gradientNorm());
            reading(job, worker, step, "train.tokens_per_second", tokens * 1e6 / (double) stepMicros);
        }
    }

    void validationLoss(JobSession job, WorkerRef worker, World world, double loss) {
        events.reading(new Reading(
                job.spec().pool(),
                job.job(),
                job.spec().attempt(),
                world.generation(),
                job.committedStep(),
                worker.id(),
                world.me().rank().value(),
                "validation.loss",
                loss,
                clock.millis()));
    }

    private void reading(JobSession job, WorkerRef worker, ReducedStep step, String name, double value) {
        events.reading(new Reading(
                job.spec().pool(),
                job.job(),
                job.spec().attempt(),
                step.generation(),
                step.step(),
                worker.id(),
                step.rank().value(),
                name,
                value,
                clock.millis()));
    }
}
