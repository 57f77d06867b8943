package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;

/**
 * What commits soon. Somebody waits for a plan, a refusal or a removal: those commit as they are decided, see {@link Commits}.
 * Nobody waits for signs of life and the progress of steps, which are most of what comes in: those share one transaction
 * per interval, because a transaction costs the broker far more than a record does.
 */
final class CommitPolicy {
    /** How far the recorded progress of a job may be behind; signs of life are judged as they are read, before that. */
    static final int INTERVAL_MS = 200;

    private CommitPolicy() {}

    static boolean soon(Event event) {
        return !(event instanceof Event.StepCompleted);
    }

    static boolean soon(Decision decision) {
        return decision.facts().stream()
                .anyMatch(fact -> !(fact instanceof Fact.ProgressRecorded || fact instanceof Fact.StaleIgnored));
    }
}
