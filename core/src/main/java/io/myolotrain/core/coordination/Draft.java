package io.myolotrain.core.coordination;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Refusal;
import java.util.ArrayList;
import java.util.List;

/** A decision while it is being made: the facts so far, and the state after them. Lives for one journal entry. */
final class Draft {
    private final long atMs;
    private final List<Fact> facts = new ArrayList<>();
    private ClusterState state;
    private String cause = "";

    Draft(ClusterState state, long atMs) {
        this.state = state;
        this.atMs = atMs;
    }

    ClusterState state() {
        return state;
    }

    JobState job(JobId id) {
        return state.job(id).orElseThrow();
    }

    long atMs() {
        return atMs;
    }

    List<Fact> facts() {
        return facts;
    }

    void add(Fact fact) {
        facts.add(fact);
        state = state.apply(fact);
    }

    void stale(String subject, String reason) {
        add(new Fact.StaleIgnored(subject, reason));
    }

    void refuse(String subject, Refusal refusal) {
        add(new Fact.Refused(subject, List.of(refusal)));
    }

    /** Why what follows is decided, in a few words. */
    void because(String reason) {
        cause = reason;
    }

    String cause() {
        return cause;
    }

    /** Jobs' phases follow from the rest of the state; this says so where one has changed. */
    void settlePhases() {
        for (JobState job : List.copyOf(state.jobs().values())) {
            JobPhase derived = job.derivedPhase();
            if (derived != job.phase()) {
                add(new Fact.PhaseChanged(job.id(), job.phase(), derived, cause));
            }
        }
    }
}
