package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.WorkerRef;
import java.util.List;

/** Whom an event proves to be alive: the worker that sent it and, for a committed step, every member of the plan. */
final class Speaker implements Event.Cases<List<Observation>> {
    static List<Observation> of(Event event) {
        return event.fold(new Speaker());
    }

    private static List<Observation> heard(WorkerRef worker) {
        return List.of(new Observation.Heard(worker));
    }

    @Override
    public List<Observation> stepCompleted(Event.StepCompleted event) {
        return List.of(
                new Observation.Heard(event.worker()),
                new Observation.StepCommitted(event.job(), event.generation(), event.stepMicros() / 1_000));
    }

    @Override
    public List<Observation> workerJoined(Event.WorkerJoined event) {
        return heard(event.worker().ref());
    }

    @Override
    public List<Observation> workerDraining(Event.WorkerDraining event) {
        return heard(event.worker());
    }

    @Override
    public List<Observation> planApplied(Event.PlanApplied event) {
        return heard(event.worker());
    }

    @Override
    public List<Observation> planFailed(Event.PlanFailed event) {
        return heard(event.worker());
    }

    @Override
    public List<Observation> collectiveFailed(Event.CollectiveFailed event) {
        return heard(event.worker());
    }

    @Override
    public List<Observation> faultInjected(Event.FaultInjected event) {
        return List.of();
    }

    @Override
    public List<Observation> workerLeft(Event.WorkerLeft event) {
        return List.of();
    }

    @Override
    public List<Observation> workerLost(Event.WorkerLost event) {
        return List.of();
    }

    @Override
    public List<Observation> checkpointWritten(Event.CheckpointWritten event) {
        return List.of();
    }

    @Override
    public List<Observation> jobSubmitted(Event.JobSubmitted event) {
        return List.of();
    }

    @Override
    public List<Observation> configChangeRequested(Event.ConfigChangeRequested event) {
        return List.of();
    }

    @Override
    public List<Observation> timerFired(Event.TimerFired event) {
        return List.of();
    }
}
