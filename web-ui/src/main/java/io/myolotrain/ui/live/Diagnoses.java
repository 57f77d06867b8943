package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.diagnosis.Finding;
import io.myolotrain.core.diagnosis.Finding.Severity;
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
    private final Map<String, List<Finding>> byJob = new HashMap<>(); // looked up only
    private long listeningSinceMs = Long.MAX_VALUE;

    void hear(ClusterFeed.Beat beat, long nowMs) {
        heartbeats.hear(beat.heartbeat(), beat.atMs(), nowMs);
        listeningSinceMs = Math.min(listeningSinceMs, nowMs);
    }

    void clear() {
        heartbeats.clear();
        byJob.clear();
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
        if (!upToDate) {
            listeningSinceMs = listeningSinceMs == Long.MAX_VALUE ? listeningSinceMs : nowMs;
        }
        boolean canTell = listeningSinceMs <= nowMs - LISTENED_MIN_MS;
        heartbeats.retain(cluster::isLive);
        byJob.keySet().removeIf(job -> cluster.jobs().keySet().stream()
                .noneMatch(id -> id.value().equals(job)));
        Map<WorkerRef, Heard> heard = heartbeats.heard(nowMs);
        var changed = new ArrayList<String>();
        for (JobState job : cluster.jobs().values()) {
            List<Finding> findings = canTell && wantsToGoOn(job) ? findings(cluster, job, heard) : List.of();
            List<Finding> before = findings.isEmpty()
                    ? byJob.remove(job.id().value())
                    : byJob.put(job.id().value(), findings);
            if (!findings.equals(before == null ? List.of() : before)) {
                changed.add(job.id().value());
            }
        }
        return changed;
    }

    private static boolean wantsToGoOn(JobState job) {
        return job.phase() != JobPhase.STOPPED && job.phase() != JobPhase.COMPLETED;
    }

    private static List<Finding> findings(ClusterState cluster, JobState job, Map<WorkerRef, Heard> heard) {
        List<Finding> all = JobDoctor.examine(cluster, job, heard);
        boolean heldUp = all.stream().anyMatch(finding -> finding.severity() == Severity.CAUSE);
        return heldUp ? all : List.of();
    }
}
