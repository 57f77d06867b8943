package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.worker.comm.Communicator;
import io.myolotrain.worker.comm.GroupFormingException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares plans in the background while the old world trains on: only one at a time, the newest. The step loop's thread
 * calls everything here; the work runs on one thread of its own.
 */
final class PlanPreparer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PlanPreparer.class);

    /** Connects the group of a plan; blocks until all its ranks are there, gives up when interrupted. */
    interface Connector {
        Communicator connect(Plan plan, WorkerRef self, JobSession session) throws Exception;
    }

    /** Builds the model and opens the data of a job. */
    interface SessionFactory {
        JobSession open(Plan plan) throws Exception;
    }

    private final Connector connector;
    private final SessionFactory sessions;
    private final WorkerEvents events;
    private final Runnable onReady;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        var prepare = new Thread(work, "plan-preparer");
        prepare.setDaemon(true);
        return prepare;
    });

    private @Nullable Future<?> inFlight;
    private Generation wanted = Generation.NONE;
    private final AtomicReference<@Nullable Prepared> ready = new AtomicReference<>();
    /** A session that was built for a plan which was then superseded: the next plan of the job takes it. */
    private final AtomicReference<@Nullable JobSession> spare = new AtomicReference<>();

    PlanPreparer(Connector connector, SessionFactory sessions, WorkerEvents events, Runnable onReady) {
        this.connector = connector;
        this.sessions = sessions;
        this.events = events;
        this.onReady = onReady;
    }

    /**
     * Starts to prepare a plan and forgets an older one.
     *
     * @param current the session in use, null for a joiner
     */
    void prepare(Plan plan, WorkerRef self, @Nullable JobSession current) {
        forget();
        wanted = plan.generation();
        inFlight = thread.submit(() -> work(plan, self, current));
    }

    /** Builds what a plan of this job would need, before the worker is asked to join: then joining is a matter of connecting. */
    void warm(Plan plan) {
        if (inFlight == null || inFlight.isDone()) {
            inFlight = thread.submit(() -> {
                try {
                    newSession(plan);
                } catch (Exception failure) {
                    log.atWarn()
                            .addKeyValue("job", plan.job())
                            .setCause(failure)
                            .log("standby cannot open the job, it would refuse a plan");
                }
            });
        }
    }

    /** The plan that is ready, if its preparation is complete. */
    Optional<Prepared> ready() {
        Prepared prepared = ready.get();
        return prepared != null && prepared.generation().equals(wanted) ? Optional.of(prepared) : Optional.empty();
    }

    /** Hands over the ready plan; from here on its group belongs to the caller. */
    Prepared take() {
        Prepared prepared = ready().orElseThrow(() -> new IllegalStateException("no plan is ready: wanted=" + wanted));
        ready.set(null);
        spare.set(null);
        inFlight = null;
        return prepared;
    }

    void forget() {
        if (inFlight != null) {
            inFlight.cancel(true);
            inFlight = null;
        }
        replaceReady(null);
        wanted = Generation.NONE;
    }

    private void replaceReady(@Nullable Prepared next) {
        Prepared stale = ready.getAndSet(next);
        if (stale != null) {
            stale.discard();
        }
    }

    private void work(Plan plan, WorkerRef self, @Nullable JobSession current) {
        try {
            JobSession session = current != null && current.serves(plan) ? current : newSession(plan);
            Communicator group = plan.group().equals(plan.generation()) ? connector.connect(plan, self, session) : null;
            var prepared = new Prepared(plan, session, group);
            if (Thread.currentThread().isInterrupted()) {
                prepared.discard();
                return;
            }
            replaceReady(prepared);
            onReady.run();
        } catch (InterruptedException superseded) {
            log.atInfo()
                    .addKeyValue("job", plan.job())
                    .addKeyValue("generation", plan.generation())
                    .log("preparation given up for a newer plan");
        } catch (Exception failure) {
            refuse(plan, self, failure);
        }
    }

    private JobSession newSession(Plan plan) throws Exception {
        JobSession kept = spare.get();
        if (kept != null && kept.serves(plan)) {
            return kept;
        }
        if (kept != null) {
            spare.set(null);
            kept.close();
        }
        JobSession opened = sessions.open(plan);
        spare.set(opened);
        return opened;
    }

    private void refuse(Plan plan, WorkerRef self, Exception failure) {
        if (Thread.currentThread().isInterrupted()) {
            return; // cancelled while it failed: the newer plan decides
        }
        log.atWarn()
                .addKeyValue("job", plan.job())
                .addKeyValue("generation", plan.generation())
                .setCause(failure)
                .log("plan cannot be prepared here");
        events.report(new Event.PlanFailed(
                plan.job(),
                plan.attempt(),
                plan.generation(),
                atFault(plan, self, failure),
                String.valueOf(failure.getMessage()),
                gone(plan, failure)));
    }

    private static List<WorkerRef> gone(Plan plan, Exception failure) {
        return failure instanceof GroupFormingException forming
                ? forming.goneRanks().stream()
                        .map(rank -> plan.participants().get(rank).ref())
                        .toList()
                : List.of();
    }

    /** Who did not come, where a group did not come together; else this worker. */
    private static WorkerRef atFault(Plan plan, WorkerRef self, Exception failure) {
        return failure instanceof GroupFormingException forming
                        && !forming.missingRanks().isEmpty()
                ? plan.participants().get(forming.missingRanks().get(0)).ref()
                : self;
    }

    @Override
    public void close() {
        forget();
        thread.shutdownNow();
        try {
            thread.awaitTermination(2, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
