package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerRef;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One slot between the plan consumer and the step loop: the newest plan wins, an older generation is refused. A plan of some
 * other job, which only tells a standby worker what it may soon be asked for, never displaces one that names the worker.
 * Thread-safe.
 */
final class PlanMailbox {
    /** Attempts whose newest generation is remembered; the one heard of least recently is forgotten first. */
    static final int FENCES_MAX = 256;

    enum Offer {
        ACCEPTED,
        STALE,
        LESS_URGENT
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Map<String, Generation> fences = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Generation> eldest) {
            return size() > FENCES_MAX;
        }
    };

    private @Nullable Plan slot;
    private boolean woken;

    Offer offer(Plan plan, WorkerRef self) {
        lock.lock();
        try {
            String run = run(plan);
            if (!plan.generation().isAfter(fences.getOrDefault(run, Generation.NONE))) {
                return Offer.STALE;
            }
            fences.put(run, plan.generation());
            Plan waiting = slot;
            if (waiting != null && !run(waiting).equals(run) && waiting.involves(self) && !plan.involves(self)) {
                return Offer.LESS_URGENT;
            }
            slot = plan;
            arrived.signalAll();
            return Offer.ACCEPTED;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the plan that waits, if there is one. */
    Optional<Plan> poll() {
        lock.lock();
        try {
            Plan plan = slot;
            slot = null;
            return Optional.ofNullable(plan);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a plan is there or somebody calls {@link #wake}; does not take it. */
    void await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long nanos = atMost.toNanos();
            while (slot == null && !woken && nanos > 0) {
                nanos = arrived.awaitNanos(nanos);
            }
            woken = false;
        } finally {
            lock.unlock();
        }
    }

    void wake() {
        lock.lock();
        try {
            woken = true;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static String run(Plan plan) {
        return plan.job() + "/" + plan.attempt();
    }
}
