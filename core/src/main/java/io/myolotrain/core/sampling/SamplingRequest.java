package io.myolotrain.core.sampling;

import io.myolotrain.core.model.JobId;

/** What people ask of readings while a job runs. It changes what is seen, never what is trained. */
public sealed interface SamplingRequest {
    JobId job();

    /** Person or program, for the log. */
    String requestedBy();

    /**
     * From now on these rules stand before the standard ones; an empty list goes back to those.
     *
     * @param rules the job's whole list: what was asked before is gone
     */
    record PolicyChange(JobId job, SamplingRules rules, String requestedBy) implements SamplingRequest {}

    /**
     * Asks a worker for one {@link AttentionMap} after its next step.
     *
     * @param sample number of a held-out sample, from 0
     */
    record AttentionRequest(JobId job, int layer, int head, long sample, String requestedBy)
            implements SamplingRequest {
        public AttentionRequest {
            if (layer < 0 || head < 0 || sample < 0) {
                throw new IllegalArgumentException(
                        "layer, head and sample count from 0: layer=" + layer + " head=" + head + " sample=" + sample);
            }
        }
    }
}
