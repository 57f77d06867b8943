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
        Optional<WorkerPast> past =
                Optional.ofNullable(draft.state().pasts().get(ref.id())).filter(p -> Trust.isRecent(p, draft.atMs()));
        if (past.isPresent() && ref.incarnation() <= past.get().incarnation()) {
            draft.stale(
                    ref.toString(),
                    "this life is over: it must join anew with an incarnation above "
                            + past.get().incarnation());
            return;
        }
        Optional<Refusal> refusal = refusal(worker);
        if (refusal.isPresent()) {
            draft.refuse(ref.toString(), refusal.get());
            return;
        }
        draft.because("worker " + ref + " joined");
        Set<JobId> affected = new TreeSet<>();
        known.ifPresent(older -> affected.addAll(take(older, "superseded by " + ref, false)));
        draft.add(new Fact.WorkerAdmitted(worker));
        holdBack(ref);
        affected.forEach(job -> replanner.replan(draft, job));
        replanner.settleAll(draft);
    }

    /** A worker that died again and again is planned in when it has stayed up for its cool-down. */
    private void holdBack(WorkerRef ref) {
        WorkerPast past = draft.state().pasts().get(ref.id());
        if (past == null || !draft.holdsBack()) {
            return;
        }
        long coolDownMs = Trust.coolDownMs(past, draft.atMs());
        if (coolDownMs == 0) {
            return;
        }
        long untilMs = draft.atMs() + coolDownMs;
        draft.add(new Fact.WorkerHeldBack(
                ref,
                untilMs,
                "died " + past.deaths() + " times in a row with less than " + Trust.STABLE_MS / 60_000
                        + " min between: in no plan before it has stayed up for " + coolDownMs / 1_000 + " s"));
        draft.add(new Fact.TimerSet(Trust.timer(ref), untilMs));
    }

    /** Answers whether the timer was that of a worker's cool-down. */
    boolean coolDownEnded(String timer) {
        Optional<WorkerRef> worker = draft.state().workers().values().stream()
                .map(PoolWorker::ref)
                .filter(ref -> Trust.timer(ref).equals(timer))
                .findFirst();
        worker.ifPresent(ref -> {
            draft.add(new Fact.TimerCleared(timer));
            draft.because("worker " + ref + " has stayed up for its cool-down");
            replanner.settleAll(draft);
        });
        return worker.isPresent();
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
        WorkerRef ref = event.worker();
        if (!draft.state().isLive(ref)) {
            draft.stale(ref.toString(), "not in the pool");
            return;
        }
        String reason = "left: " + Quote.sentence(event.reason());
        draft.because("worker " + ref + " " + reason);
        remove(List.of(ref), reason, true);
    }

    void lost(Event.WorkerLost event) {
        var named = new TreeSet<WorkerRef>(event.others());
        named.add(event.worker());
        List<WorkerRef> lost = named.stream().filter(draft.state()::isLive).toList();
        if (lost.isEmpty()) {
            draft.stale(event.worker().toString(), "not in the pool");
            return;
        }
        String reason = "silent for " + event.silentMs() + " ms";
        draft.because(lost.size() == 1 ? "worker " + lost.get(0) + " " + reason : lost.size() + " workers " + reason);
        removeAndReplan(lost, reason);
    }

    /** Takes live workers out of the pool that did not ask for it; each job that had one of them gets one new plan. */
    void removeAndReplan(List<WorkerRef> refs, String reason) {
        remove(refs, reason, false);
    }

    private void remove(List<WorkerRef> refs, String reason, boolean asked) {
        Set<JobId> affected = new TreeSet<>();
        refs.forEach(ref -> affected.addAll(take(ref, reason, asked)));
        affected.forEach(job -> replanner.replan(draft, job));
        replanner.settleAll(draft);
    }

    private List<JobId> take(WorkerRef ref, String reason, boolean asked) {
        WorkerId id = ref.id();
        List<JobId> jobs =
                draft.state().worker(id).flatMap(PoolWorker::job).stream().toList();
        int deaths = Trust.deaths(Optional.ofNullable(draft.state().pasts().get(id)), draft.atMs(), asked);
        draft.add(new Fact.WorkerRemoved(ref, reason, deaths, draft.atMs()));
        if (draft.state().timers().containsKey(Trust.timer(ref))) {
            draft.add(new Fact.TimerCleared(Trust.timer(ref)));
        }
        return jobs;
    }
}
