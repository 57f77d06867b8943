package io.myolotrain.cli.client;

import io.myolotrain.cli.output.Units;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Refusal;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** One line per fact, for people. */
public final class FactText implements Fact.Cases<String> {
    private static final FactText TEXT = new FactText();

    private FactText() {}

    public static String of(Fact fact) {
        return fact.fold(TEXT);
    }

    static String changes(SortedMap<String, String> changes) {
        return changes.entrySet().stream()
                .map(change -> change.getKey() + "=" + change.getValue())
                .collect(Collectors.joining(" "));
    }

    static String plan(Fact.PlanIssued fact) {
        Plan plan = fact.plan();
        String moves = fact.movedBytes() == 0
                ? ""
                : ", moves " + Units.bytes(fact.movedBytes()) + " (least possible "
                        + Units.bytes(fact.lowerBoundBytes()) + ")";
        return "generation " + plan.generation() + ": " + plan.worldSize()
                + (plan.worldSize() == 1 ? " worker" : " workers") + moves + ", " + plan.reason();
    }

    static String activation(Fact.PlanActivated fact) {
        return "generation " + fact.generation() + " at step " + fact.firstStep() + ", stall "
                + Units.millis(fact.stallMicros())
                + (fact.movedBytes() == 0 ? "" : ", moved " + Units.bytes(fact.movedBytes()));
    }

    public static String refusal(Refusal refusal) {
        return refusal.rule() + ": " + refusal.value() + "; " + refusal.nextStep();
    }

    @Override
    public String refused(Fact.Refused fact) {
        return "refused " + fact.subject() + ": "
                + fact.refusals().stream().map(FactText::refusal).collect(Collectors.joining(" | "));
    }

    @Override
    public String jobAccepted(Fact.JobAccepted fact) {
        return "job " + fact.spec().job() + " accepted";
    }

    @Override
    public String configAccepted(Fact.ConfigAccepted fact) {
        return "job " + fact.job() + " change accepted: " + changes(fact.changes());
    }

    @Override
    public String workerAdmitted(Fact.WorkerAdmitted fact) {
        return "worker " + fact.worker().ref() + " admitted from "
                + fact.worker().host();
    }

    @Override
    public String workerDrainStarted(Fact.WorkerDrainStarted fact) {
        return "worker " + fact.worker() + " drains: " + fact.reason();
    }

    @Override
    public String workerRemoved(Fact.WorkerRemoved fact) {
        return "worker " + fact.worker() + " removed: " + fact.reason();
    }

    @Override
    public String workerHeldBack(Fact.WorkerHeldBack fact) {
        return "worker " + fact.worker() + " held back: " + fact.reason();
    }

    @Override
    public String workersSuspected(Fact.WorkersSuspected fact) {
        return fact.suspects().isEmpty()
                ? "job " + fact.job() + " suspicion over: generation " + fact.generation()
                : "job " + fact.job() + " waits for a word of " + fact.suspects() + ", suspected by " + fact.heard()
                        + ": generation " + fact.generation() + ", " + fact.reason();
    }

    @Override
    public String planIssued(Fact.PlanIssued fact) {
        return "job " + fact.plan().job() + " planned: " + plan(fact);
    }

    @Override
    public String planWithdrawn(Fact.PlanWithdrawn fact) {
        return "job " + fact.job() + " plan withdrawn: generation " + fact.generation() + ", " + fact.reason();
    }

    @Override
    public String faultNoted(Fact.FaultNoted fact) {
        return "fault injected: " + fact.fault() + " " + String.join(", ", fact.targets()) + ", " + fact.detail();
    }

    @Override
    public String workerExcluded(Fact.WorkerExcluded fact) {
        return "job " + fact.job() + " goes without worker " + fact.worker() + ": " + fact.reason();
    }

    @Override
    public String generationBroken(Fact.GenerationBroken fact) {
        return "job " + fact.job() + " lost its communicator: generation " + fact.generation() + ", " + fact.reason();
    }

    @Override
    public String planActivated(Fact.PlanActivated fact) {
        return "job " + fact.job() + " applied: " + activation(fact);
    }

    @Override
    public String progressRecorded(Fact.ProgressRecorded fact) {
        return "job " + fact.job() + " step " + fact.step() + " loss " + Units.loss(fact.loss());
    }

    @Override
    public String checkpointRecorded(Fact.CheckpointRecorded fact) {
        return "job " + fact.job() + " checkpoint at step " + fact.step() + ", " + Units.bytes(fact.bytes()) + ": "
                + fact.directory();
    }

    @Override
    public String phaseChanged(Fact.PhaseChanged fact) {
        return "job " + fact.job() + " " + fact.from() + " -> " + fact.to() + ": " + fact.reason();
    }

    @Override
    public String staleIgnored(Fact.StaleIgnored fact) {
        return "ignored " + fact.subject() + ": " + fact.reason();
    }

    @Override
    public String timerSet(Fact.TimerSet fact) {
        return "timer " + fact.timer() + " set for " + fact.dueMs();
    }

    @Override
    public String timerCleared(Fact.TimerCleared fact) {
        return "timer " + fact.timer() + " cleared";
    }
}
