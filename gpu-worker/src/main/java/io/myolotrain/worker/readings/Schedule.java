package io.myolotrain.worker.readings;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.sampling.SamplingPolicy;
import java.util.Map;
import java.util.TreeMap;

/**
 * When a reading that costs something is due: by the job's policy for its name, or every so many steps where the policy
 * leaves that to the reporter. Used by the training thread alone.
 */
final class Schedule {
    private final ReadingRules rules;
    private final Map<String, Long> lastAtMs = new TreeMap<>(); // one entry per name of this class's callers

    Schedule(ReadingRules rules) {
        this.rules = rules;
    }

    /** @param ownPace steps from one reading to the next under the default policy */
    boolean isDue(JobId job, String name, long step, long nowMs, long ownPace) {
        SamplingPolicy policy = rules.policyFor(job, name);
        if (policy instanceof SamplingPolicy.Default) {
            return step % ownPace == 0;
        }
        if (!policy.keepsFrame(step, nowMs, lastAtMs.getOrDefault(name, Long.MIN_VALUE))) {
            return false;
        }
        lastAtMs.put(name, nowMs);
        return true;
    }
}
