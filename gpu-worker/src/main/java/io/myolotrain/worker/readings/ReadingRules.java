package io.myolotrain.worker.readings;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.SamplingPolicy;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.core.sampling.SamplingRules;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** What people ask of this pool's readings, as the log tells it. Thread-safe. */
public final class ReadingRules {
    /** Of one that nobody answers the next is worth more than the oldest. */
    private static final int WAITING_MAX = 8;

    private final PoolId pool;
    private final Map<JobId, SamplingRules> rules = new ConcurrentSkipListMap<>();
    private final ArrayDeque<Asked> waiting = new ArrayDeque<>(); // guarded by itself

    /** @param id of the event that asks */
    record Asked(String id, SamplingRequest.AttentionRequest request) {}

    public ReadingRules(PoolId pool) {
        this.pool = pool;
    }

    /** @param fresh whether somebody still waits for an answer: requests from before this process are history */
    public void follow(String eventId, PoolId about, SamplingRequest request, boolean fresh) {
        if (!about.equals(pool)) {
            return;
        }
        if (request instanceof SamplingRequest.PolicyChange change) {
            rules.put(change.job(), change.rules().beforeStandard());
        } else if (request instanceof SamplingRequest.AttentionRequest attention && fresh) {
            synchronized (waiting) {
                if (waiting.size() == WAITING_MAX) {
                    waiting.remove();
                }
                waiting.add(new Asked(eventId, attention));
            }
        }
    }

    SamplingPolicy policyFor(JobId job, String metric) {
        return rules.getOrDefault(job, SamplingRules.standard()).policyFor(metric);
    }

    /** The next request of this job; those of other jobs are for other workers. */
    Optional<Asked> nextRequest(JobId job) {
        synchronized (waiting) {
            while (!waiting.isEmpty()) {
                Asked asked = waiting.remove();
                if (asked.request().job().equals(job)) {
                    return Optional.of(asked);
                }
            }
            return Optional.empty();
        }
    }
}
