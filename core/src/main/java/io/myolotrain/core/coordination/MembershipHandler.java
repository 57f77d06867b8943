package io.myolotrain.core.coordination;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.planning.Quote;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Who is in the pool: joins, drains, departures, losses. */
final class MembershipHandler {
    private static final int TEXT_MAX = 255;
    private static final int PORT_MAX = 65_535;

    private final Draft draft;
    private final Replanner replanner;

    MembershipHandler(Draft draft, Replanner replanner) {
        this.draft = draft;
        this.replanner = replanner;
    }

    void joined(Event.WorkerJoined event) {
        WorkerInfo worker = event.worker();
        WorkerRef ref = worker.ref();
        Optional<WorkerRef> known = draft.state().worker(ref.id()).map(PoolWorker::ref);
        if (known.isPresent() && ref.incarnation() <= known.get().incarnation()) {
            draft.stale(ref.toString(), "the pool knows " + known.get() + " already");
            return;
        }
        Optional<Refusal> refusal = refusal(worker);
        if (refusal.isPresent()) {
            draft.refuse(ref.toString(), refusal.get());
            return;
        }
        draft.because("worker " + ref + " joined");
        Set<JobId> affected = new TreeSet<>();
        known.ifPresent(older -> affected.addAll(take(older, "superseded by " + ref)));
        draft.add(new Fact.WorkerAdmitted(worker));
        affected.forEach(job -> replanner.replan(draft, job));
        replanner.settleAll(draft);
    }

    private Optional<Refusal> refusal(WorkerInfo worker) {
        PoolId pool = draft.state().pool();
        if (!worker.pool().equals(pool)) {
            return Optional.of(new Refusal(
                    "a worker joins the pool that it names", "pool=" + worker.pool(), "start it with pool=" + pool));
        }
        if (draft.state().workers().size() >= ClusterState.WORKERS_MAX) {
            return Optional.of(new Refusal(
                    "a pool has at most " + ClusterState.WORKERS_MAX + " workers",
                    "workers=" + draft.state().workers().size(),
                    "use another pool"));
        }
        boolean texts = Stream.of(worker.host(), worker.address(), worker.kernel(), worker.version())
                .allMatch(text -> text.length() <= TEXT_MAX);
        boolean ports = Stream.of(worker.peerPort(), worker.storePort(), worker.httpPort())
                .allMatch(port -> port >= 0 && port <= PORT_MAX);
        return texts && ports
                ? Optional.empty()
                : Optional.of(new Refusal(
                        "a worker's texts have at most " + TEXT_MAX + " characters and its ports are in [0, 65535]",
                        "peerPort=" + worker.peerPort() + " storePort=" + worker.storePort() + " httpPort="
                                + worker.httpPort(),
                        "restart the worker with legal values"));
    }

    void draining(Event.WorkerDraining event) {
        WorkerRef ref = event.worker();
        if (!draft.state().isLive(ref)) {
            draft.stale(ref.toString(), "not in the pool");
        } else if (draft.state().worker(ref.id()).filter(PoolWorker::draining).isPresent()) {
            draft.stale(ref.toString(), "draining already");
        } else {
            String reason = Quote.sentence(event.reason());
            draft.because("worker " + ref + " drains: " + reason);
            draft.add(new Fact.WorkerDrainStarted(ref, reason));
            replanner.settleAll(draft);
        }
    }

    void left(Event.WorkerLeft event) {
        gone(event.worker(), "left: " + Quote.sentence(event.reason()));
    }

    void lost(Event.WorkerLost event) {
        gone(event.worker(), "silent for " + event.silentMs() + " ms");
    }

    private void gone(WorkerRef ref, String reason) {
        if (!draft.state().isLive(ref)) {
            draft.stale(ref.toString(), "not in the pool");
            return;
        }
        draft.because("worker " + ref + " " + reason);
        removeAndReplan(List.of(ref), reason);
    }

    /** Takes live workers out of the pool; each job that had one of them gets one new plan. */
    void removeAndReplan(List<WorkerRef> refs, String reason) {
        Set<JobId> affected = new TreeSet<>();
        refs.forEach(ref -> affected.addAll(take(ref, reason)));
        affected.forEach(job -> replanner.replan(draft, job));
        replanner.settleAll(draft);
    }

    private List<JobId> take(WorkerRef ref, String reason) {
        WorkerId id = ref.id();
        List<JobId> jobs =
                draft.state().worker(id).flatMap(PoolWorker::job).stream().toList();
        draft.add(new Fact.WorkerRemoved(ref, reason));
        return jobs;
    }
}
