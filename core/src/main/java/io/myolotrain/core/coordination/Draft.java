package io.myolotrain.core.coordination;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A decision while it is being made: the facts so far, and the state after them. Lives for one journal entry. */
final class Draft {
    private final long atMs;
    private final boolean holdsBack;
    private final List<Fact> facts = new ArrayList<>();
    private ClusterState state;
    private final SortedMap<JobId, Refusal> waiting = new TreeMap<>();
    private String cause = "";

    Draft(ClusterState state, long atMs, boolean holdsBack) {
        this.state = state;
        this.atMs = atMs;
        this.holdsBack = holdsBack;
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

    /** Whether workers that flap are held back, see {@link Trust}. */
    boolean holdsBack() {
        return holdsBack;
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

    /** The job cannot have a plan now; a phase that changes because of that says so. */
    void waits(JobId job, Refusal why) {
        waiting.put(job, why);
    }

    private String reason(JobId job, JobPhase to) {
        Refusal why = waiting.get(job);
        return why == null || to != JobPhase.WAITING
                ? cause
                : cause + "; " + why.rule() + ": " + why.value() + "; " + why.nextStep();
    }

    /** Jobs' phases follow from the rest of the state; this says so where one has changed. */
    void settlePhases() {
        for (JobState job : List.copyOf(state.jobs().values())) {
            JobPhase derived = job.derivedPhase();
            if (derived != job.phase()) {
                add(new Fact.PhaseChanged(job.id(), job.phase(), derived, reason(job.id(), derived)));
            }
        }
    }
}
