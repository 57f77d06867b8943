package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.diagnosis.Finding;
import io.myolotrain.core.diagnosis.Heard;
import io.myolotrain.core.diagnosis.Heartbeats;
import io.myolotrain.core.diagnosis.JobDoctor;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.ui.port.ClusterFeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Why jobs stand still, as far as heartbeats tell. */
final class Diagnoses {
    /** Who was not heard before we have listened for so long is not silent: we have not heard anybody yet. */
    static final long LISTENED_MIN_MS = 2 * JobDoctor.SILENT_MILLIS;

    private final Heartbeats heartbeats = new Heartbeats();
    private Map<String, List<Finding>> byJob = Map.of(); // looked up only
    private long listeningSinceMs = Long.MAX_VALUE;

    void hear(ClusterFeed.Beat beat, long nowMs) {
        heartbeats.hear(beat.heartbeat(), beat.atMs(), nowMs);
        listeningSinceMs = Math.min(listeningSinceMs, nowMs);
    }

    void clear() {
        heartbeats.clear();
        byJob = Map.of();
        listeningSinceMs = Long.MAX_VALUE;
    }

    /** Causes first; empty while nothing holds the job up. */
    List<Finding> of(String job) {
        return byJob.getOrDefault(job, List.of());
    }

    /**
     * @param upToDate whether the state is that of now; without it nothing can be said
     * @return jobs of which something else is known than before
     */
    List<String> examine(ClusterState cluster, long nowMs, boolean upToDate) {
        if (!upToDate && listeningSinceMs != Long.MAX_VALUE) {
            listeningSinceMs = nowMs; // begins again when the source answers
        }
        boolean canTell = listeningSinceMs <= nowMs - LISTENED_MIN_MS;
        heartbeats.retain(cluster::isLive);
        Map<WorkerRef, Heard> heard = heartbeats.heard(nowMs);
        var now = new HashMap<String, List<Finding>>();
        var changed = new ArrayList<String>();
        for (JobState job : cluster.jobs().values()) {
            String id = job.id().value();
            List<Finding> findings = canTell && wantsToGoOn(job) ? findings(cluster, job, heard) : List.of();
            if (!findings.equals(of(id))) {
                changed.add(id);
            }
            now.put(id, findings);
        }
        byJob = now;
        return changed;
    }

    private static boolean wantsToGoOn(JobState job) {
        return job.phase() != JobPhase.STOPPED && job.phase() != JobPhase.COMPLETED;
    }

    private static List<Finding> findings(ClusterState cluster, JobState job, Map<WorkerRef, Heard> heard) {
        List<Finding> all = JobDoctor.examine(cluster, job, heard);
        return JobDoctor.isHeldUp(all) ? all : List.of();
    }
}
