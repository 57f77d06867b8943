package io.myolotrain.topics;

import static io.myolotrain.topics.ModelMapping.refsToAvro;
import static io.myolotrain.topics.ModelMapping.refsToCore;
import static io.myolotrain.topics.ModelMapping.toAvro;
import static io.myolotrain.topics.ModelMapping.toCore;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Rank;
import io.myolotrain.schemas.avro.CheckpointWritten;
import io.myolotrain.schemas.avro.CollectiveFailed;
import io.myolotrain.schemas.avro.ConfigurationChange;
import io.myolotrain.schemas.avro.FaultInjection;
import io.myolotrain.schemas.avro.JobSubmission;
import io.myolotrain.schemas.avro.PlanApplied;
import io.myolotrain.schemas.avro.PlanFailed;
import io.myolotrain.schemas.avro.StepCompletion;
import io.myolotrain.schemas.avro.TimerFired;
import io.myolotrain.schemas.avro.WorkerDrain;
import io.myolotrain.schemas.avro.WorkerJoin;
import io.myolotrain.schemas.avro.WorkerLeave;
import io.myolotrain.schemas.avro.WorkerLost;
import java.util.TreeMap;

/** Every {@link Event}, one record each; the same records in the ingress topics and in the journal. */
final class EventMapping {
    static final BodyMapping<Event> BODIES = new BodyMapping<Event>()
            .pair(
                    Event.JobSubmitted.class,
                    JobSubmission.class,
                    e -> new JobSubmission(toAvro(e.spec()), e.requestedBy()),
                    a -> new Event.JobSubmitted(toCore(a.getSpec()), a.getRequestedBy()))
            .pair(
                    Event.ConfigChangeRequested.class,
                    ConfigurationChange.class,
                    e -> new ConfigurationChange(e.job().value(), e.changes(), e.requestedBy()),
                    a -> new Event.ConfigChangeRequested(
                            new JobId(a.getJob()), new TreeMap<>(a.getChanges()), a.getRequestedBy()))
            .pair(
                    Event.WorkerJoined.class,
                    WorkerJoin.class,
                    e -> new WorkerJoin(toAvro(e.worker())),
                    a -> new Event.WorkerJoined(toCore(a.getWorker())))
            .pair(
                    Event.WorkerDraining.class,
                    WorkerDrain.class,
                    e -> new WorkerDrain(toAvro(e.worker()), e.reason()),
                    a -> new Event.WorkerDraining(toCore(a.getWorker()), a.getReason()))
            .pair(
                    Event.FaultInjected.class,
                    FaultInjection.class,
                    e -> new FaultInjection(e.fault(), e.targets(), e.detail()),
                    a -> new Event.FaultInjected(a.getFault(), a.getTargets(), a.getDetail()))
            .pair(
                    Event.WorkerLeft.class,
                    WorkerLeave.class,
                    e -> new WorkerLeave(toAvro(e.worker()), e.reason()),
                    a -> new Event.WorkerLeft(toCore(a.getWorker()), a.getReason()))
            .pair(
                    Event.WorkerLost.class,
                    WorkerLost.class,
                    e -> new WorkerLost(toAvro(e.worker()), e.silentMs(), refsToAvro(e.others())),
                    a -> new Event.WorkerLost(toCore(a.getWorker()), a.getSilentMs(), refsToCore(a.getOthers())))
            .pair(
                    Event.StepCompleted.class,
                    StepCompletion.class,
                    EventMapping::stepCompletion,
                    EventMapping::stepCompleted)
            .pair(Event.PlanApplied.class, PlanApplied.class, EventMapping::planApplied, EventMapping::planApplied)
            .pair(
                    Event.PlanFailed.class,
                    PlanFailed.class,
                    e -> new PlanFailed(
                            e.job().value(),
                            e.attempt(),
                            e.generation().value(),
                            toAvro(e.worker()),
                            e.reason(),
                            e.gone().stream().map(ModelMapping::toAvro).toList()),
                    a -> new Event.PlanFailed(
                            new JobId(a.getJob()),
                            a.getAttempt(),
                            new Generation(a.getGeneration()),
                            toCore(a.getWorker()),
                            a.getReason(),
                            a.getGone().stream().map(ModelMapping::toCore).toList()))
            .pair(
                    Event.CollectiveFailed.class,
                    CollectiveFailed.class,
                    EventMapping::collectiveFailed,
                    EventMapping::collectiveFailed)
            .pair(
                    Event.CheckpointWritten.class,
                    CheckpointWritten.class,
                    e -> new CheckpointWritten(
                            e.job().value(), e.attempt(), e.generation().value(), e.step(), e.directory(), e.bytes()),
                    a -> new Event.CheckpointWritten(
                            new JobId(a.getJob()),
                            a.getAttempt(),
                            new Generation(a.getGeneration()),
                            a.getStep(),
                            a.getDirectory(),
                            a.getBytes()))
            .pair(
                    Event.TimerFired.class,
                    TimerFired.class,
                    e -> new TimerFired(e.timer(), e.atMs()),
                    a -> new Event.TimerFired(a.getTimer(), a.getAtMs()));

    private EventMapping() {}

    private static StepCompletion stepCompletion(Event.StepCompleted e) {
        return new StepCompletion(
                e.job().value(),
                e.attempt(),
                e.generation().value(),
                e.step(),
                e.rank().value(),
                toAvro(e.worker()),
                toAvro(e.microBatches()),
                e.samplePosition(),
                e.sampleCount(),
                e.samplesCrc(),
                e.loss(),
                e.gradientNorm(),
                e.learningRate(),
                e.stepMicros());
    }

    private static Event.StepCompleted stepCompleted(StepCompletion a) {
        return new Event.StepCompleted(
                new JobId(a.getJob()),
                a.getAttempt(),
                new Generation(a.getGeneration()),
                a.getStep(),
                new Rank(a.getRank()),
                toCore(a.getWorker()),
                toCore(a.getMicroBatches()),
                a.getSamplePosition(),
                a.getSampleCount(),
                a.getSamplesCrc(),
                a.getLoss(),
                a.getGradientNorm(),
                a.getLearningRate(),
                a.getStepMicros());
    }

    private static PlanApplied planApplied(Event.PlanApplied e) {
        return new PlanApplied(
                e.job().value(),
                e.attempt(),
                e.generation().value(),
                toAvro(e.worker()),
                e.firstStep(),
                e.stallMicros(),
                e.movedBytes());
    }

    private static Event.PlanApplied planApplied(PlanApplied a) {
        return new Event.PlanApplied(
                new JobId(a.getJob()),
                a.getAttempt(),
                new Generation(a.getGeneration()),
                toCore(a.getWorker()),
                a.getFirstStep(),
                a.getStallMicros(),
                a.getMovedBytes());
    }

    private static CollectiveFailed collectiveFailed(Event.CollectiveFailed e) {
        return new CollectiveFailed(
                e.job().value(),
                e.attempt(),
                e.generation().value(),
                toAvro(e.worker()),
                e.committedStep(),
                refsToAvro(e.suspects()),
                e.reason());
    }

    private static Event.CollectiveFailed collectiveFailed(CollectiveFailed a) {
        return new Event.CollectiveFailed(
                new JobId(a.getJob()),
                a.getAttempt(),
                new Generation(a.getGeneration()),
                toCore(a.getWorker()),
                a.getCommittedStep(),
                refsToCore(a.getSuspects()),
                a.getReason());
    }
}
