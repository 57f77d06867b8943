package io.myolotrain.core.planning;

import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Refusal;

/** What came of a wish for a plan. */
public sealed interface Planning permits Planning.Planned, Planning.Refused {

    /** @param diff against the plan in force */
    record Planned(Plan plan, PlanDiff diff) implements Planning {}

    /** No plan is possible now; the job waits. */
    record Refused(Refusal refusal) implements Planning {}
}
