package io.myolotrain.core.coordination;

/** Who handles what: requests, membership, progress, failures. */
final class EventDispatch implements Event.Cases<Boolean> {
    private final RequestHandler requests;
    private final MembershipHandler membership;
    private final ProgressHandler progress;
    private final FailureHandler failures;

    EventDispatch(Draft draft, Replanner replanner) {
        requests = new RequestHandler(draft, replanner);
        membership = new MembershipHandler(draft, replanner);
        progress = new ProgressHandler(draft, replanner);
        failures = new FailureHandler(draft, replanner, membership);
    }

    @Override
    public Boolean jobSubmitted(Event.JobSubmitted event) {
        requests.submitted(event);
        return true;
    }

    @Override
    public Boolean configChangeRequested(Event.ConfigChangeRequested event) {
        requests.changeRequested(event);
        return true;
    }

    @Override
    public Boolean workerJoined(Event.WorkerJoined event) {
        membership.joined(event);
        return true;
    }

    @Override
    public Boolean workerDraining(Event.WorkerDraining event) {
        membership.draining(event);
        return true;
    }

    @Override
    public Boolean faultInjected(Event.FaultInjected event) {
        failures.faultInjected(event);
        return true;
    }

    @Override
    public Boolean workerLeft(Event.WorkerLeft event) {
        membership.left(event);
        return true;
    }

    @Override
    public Boolean workerLost(Event.WorkerLost event) {
        membership.lost(event);
        return true;
    }

    @Override
    public Boolean stepCompleted(Event.StepCompleted event) {
        progress.stepCompleted(event);
        return true;
    }

    @Override
    public Boolean planApplied(Event.PlanApplied event) {
        progress.planApplied(event);
        return true;
    }

    @Override
    public Boolean planFailed(Event.PlanFailed event) {
        failures.planFailed(event);
        return true;
    }

    @Override
    public Boolean collectiveFailed(Event.CollectiveFailed event) {
        failures.collectiveFailed(event);
        return true;
    }

    @Override
    public Boolean checkpointWritten(Event.CheckpointWritten event) {
        progress.checkpointWritten(event);
        return true;
    }

    @Override
    public Boolean timerFired(Event.TimerFired event) {
        failures.timerFired(event);
        return true;
    }
}
