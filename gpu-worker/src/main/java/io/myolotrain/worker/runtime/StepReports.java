package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.sampling.Scalars;
import java.time.Clock;
import java.util.ArrayList;

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
        var values = new ArrayList<Scalars.Scalar>();
        values.add(new Scalars.Scalar("comm.all_reduce_micros", step.allReduceNanos() / 1e3));
        values.add(new Scalars.Scalar("step.micros", (double) stepMicros));
        if (step.rank().value() == 0) {
            double tokens =
                    (double) step.config().globalBatch() * job.spec().model().sequenceLength();
            values.add(new Scalars.Scalar("train.loss", step.lossMean()));
            values.add(new Scalars.Scalar("train.learning_rate", applied.learningRate()));
            values.add(new Scalars.Scalar("train.gradient_norm", applied.gradientNorm()));
            values.add(new Scalars.Scalar("train.tokens_per_second", tokens * 1e6 / (double) stepMicros));
        }
        var origin = new Origin(
                line(job, step.generation()),
                step.step(),
                worker.id(),
                step.rank().value(),
                clock.millis());
        events.reading(new Reading(origin, new Scalars(values)));
    }

    void validationLoss(JobSession job, WorkerRef worker, World world, double loss) {
        var origin = new Origin(
                line(job, world.generation()),
                job.committedStep(),
                worker.id(),
                world.me().rank().value(),
                clock.millis());
        events.reading(Reading.scalar(origin, "validation.loss", loss));
    }

    private static Line line(JobSession job, Generation generation) {
        return new Line(job.spec().pool(), job.job(), job.spec().attempt(), generation);
    }
}
