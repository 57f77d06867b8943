package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.WorkerRef;
import java.util.List;

/** What tells the timekeeper who lives and what it has to wait for. */
sealed interface Observation {

    /** Something that this worker sent. */
    record Heard(WorkerRef worker) implements Observation {}

    /**
     * A step was committed, so every member of its plan took part: peers vouch for one whose heartbeats are late.
     *
     * @param stepMs time that it took; the next sign of that kind comes no sooner
     */
    record StepCommitted(JobId job, Generation generation, long stepMs) implements Observation {}

    /** The coordinator decided. */
    record Decided(List<Fact> facts) implements Observation {}
}
