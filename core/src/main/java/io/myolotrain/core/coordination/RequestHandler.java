package io.myolotrain.core.coordination;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.planning.ConfigRules;
import io.myolotrain.core.planning.JobRules;
import io.myolotrain.core.planning.Quote;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** What people ask for: jobs and changes. */
final class RequestHandler {
    private static final int JOBS_SHOWN_MAX = 8;

    private final Draft draft;
    private final Replanner replanner;

    RequestHandler(Draft draft, Replanner replanner) {
        this.draft = draft;
        this.replanner = replanner;
    }

    void submitted(Event.JobSubmitted event) {
        JobSpec spec = event.spec();
        draft.because("job submitted by " + Quote.of(event.requestedBy()));
        var refusals = new ArrayList<>(JobRules.check(draft.state().pool(), spec));
        refusals.addAll(againstOtherJobs(spec));
        if (!refusals.isEmpty()) {
            draft.add(new Fact.Refused(spec.job().value(), refusals));
            return;
        }
        draft.add(new Fact.JobAccepted(spec));
        replanner.settle(draft, spec.job());
    }

    private List<Refusal> againstOtherJobs(JobSpec spec) {
        var refusals = new ArrayList<Refusal>();
        draft.state()
                .job(spec.job())
                .filter(JobState::live)
                .ifPresent(live -> refusals.add(new Refusal(
                        "a job id is used by one live job at a time",
                        "job=" + spec.job() + " phase=" + live.phase() + " attempt="
                                + Quote.of(live.spec().attempt()),
                        "use another job id, or stop the job first")));
        long live =
                draft.state().jobs().values().stream().filter(JobState::live).count();
        if (live >= ClusterState.JOBS_MAX) {
            refusals.add(new Refusal(
                    "a pool has at most " + ClusterState.JOBS_MAX + " live jobs",
                    "live jobs=" + live,
                    "stop a job first"));
        }
        return refusals;
    }

    void changeRequested(Event.ConfigChangeRequested event) {
        JobId id = event.job();
        JobState job = draft.state().job(id).orElse(null);
        if (job == null) {
            draft.refuse(id.value(), new Refusal("the job must be known", "job=" + id, knownJobs()));
            return;
        }
        var situation = new ConfigRules.Situation(job.spec(), job.desired(), job.committedStep(), usableWorkers(id));
        ConfigRules.Result result = ConfigRules.apply(situation, event.changes());
        if (result instanceof ConfigRules.Refused refused) {
            draft.add(new Fact.Refused(id.value(), refused.refusals()));
        } else if (result instanceof ConfigRules.Accepted accepted) {
            draft.because(sentence(event.changes()) + " asked by " + Quote.of(event.requestedBy()));
            draft.add(new Fact.ConfigAccepted(id, event.changes(), accepted.config()));
            if (draft.job(id).pending().isEmpty()) {
                replanner.replan(draft, id); // else the change waits until the pending plan is applied
            }
        }
    }

    private String knownJobs() {
        if (draft.state().jobs().isEmpty()) {
            return "the pool has no job: submit one first";
        }
        return draft.state().jobs().keySet().stream()
                .limit(JOBS_SHOWN_MAX)
                .map(JobId::value)
                .collect(Collectors.joining(
                        ", ", "known jobs: ", draft.state().jobs().size() > JOBS_SHOWN_MAX ? ", …" : ""));
    }

    private int usableWorkers(JobId id) {
        return (int) draft.state().workers().values().stream()
                .filter(worker -> !worker.draining())
                .filter(worker -> worker.job().map(id::equals).orElse(true))
                .count();
    }

    private static String sentence(SortedMap<String, String> changes) {
        return changes.entrySet().stream()
                .map(change -> Quote.of(change.getKey()) + "=" + Quote.of(change.getValue()))
                .collect(Collectors.joining(" "));
    }
}
