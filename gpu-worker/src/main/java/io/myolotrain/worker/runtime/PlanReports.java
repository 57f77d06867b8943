package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.worker.comm.CollectiveFailedException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a worker tells the pool of a plan: that it is in force here, that its group broke, that it cannot be entered. */
final class PlanReports {
    private static final Logger log = LoggerFactory.getLogger(PlanReports.class);

    private final WorkerIdentity identity;
    private final WorkerEvents events;

    PlanReports(WorkerIdentity identity, WorkerEvents events) {
        this.identity = identity;
        this.events = events;
    }

    /**
     * @param stallMicros time that no step was computed
     * @param moved bytes of state that the group moved or loaded
     */
    void applied(Plan plan, JobSession session, long stallMicros, long moved) {
        events.report(new Event.PlanApplied(
                plan.job(),
                plan.attempt(),
                plan.generation(),
                identity.ref(),
                session.committedStep() + 1,
                stallMicros,
                moved));
    }

    void collectiveFailed(Plan plan, JobSession session, CollectiveFailedException failure) {
        log.atWarn()
                .addKeyValue("job", plan.job())
                .addKeyValue("generation", plan.generation())
                .addKeyValue("reason", failure.getMessage())
                .log("collective failed, waiting for a plan");
        List<WorkerRef> suspects = failure.missingRanks().stream()
                .map(rank -> plan.participants().get(rank).ref())
                .toList();
        events.report(new Event.CollectiveFailed(
                plan.job(),
                plan.attempt(),
                plan.generation(),
                identity.ref(),
                session.committedStep(),
                suspects,
                String.valueOf(failure.getMessage())));
    }

    void cannotEnter(Plan plan, RuntimeException reason) {
        log.atError()
                .addKeyValue("job", plan.job())
                .addKeyValue("generation", plan.generation())
                .setCause(reason)
                .log("the plan cannot be entered");
        events.report(new Event.PlanFailed(
                plan.job(), plan.attempt(), plan.generation(), identity.ref(), String.valueOf(reason.getMessage())));
    }
}
