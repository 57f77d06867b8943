package io.myolotrain.worker.comm;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a group can still be used: who is alive, whether somebody gave up, how long a step may take. Shared by all views
 * of one group on one rank. It also sees to it that the group's memory goes only when no operation is inside it.
 */
final class GroupHealth {
    private final PeerLinks links;
    private final Supplier<Duration> deadline;
    private final Runnable release;
    private final AtomicReference<@Nullable String> ending = new AtomicReference<>();
    private final ReentrantLock inside = new ReentrantLock();
    private volatile boolean closing;
    private volatile @Nullable Waiting waiting;
    private boolean released; // guarded by inside

    /**
     * @param deadline longest time that an operation may take now: from recent step times
     * @param release frees the group's memory; runs once, after {@link #close}
     */
    GroupHealth(PeerLinks links, Supplier<Duration> deadline, Runnable release) {
        this.links = links;
        this.deadline = deadline;
        this.release = release;
    }

    PeerLinks links() {
        return links;
    }

    Duration deadline() {
        return deadline.get();
    }

    /** Why no operation can succeed any more. */
    @Nullable String ending() {
        String reason = ending.get();
        return reason != null ? reason : links.leaving();
    }

    /** Tells the peers at once, so that none of them waits for this rank. */
    void end(String reason, List<Integer> blamed) {
        if (ending.compareAndSet(null, reason)) {
            links.leave(reason, blamed);
        }
    }

    void enter() {
        if (inside.isHeldByCurrentThread() || !inside.tryLock()) {
            throw new IllegalStateException("one thread at a time drives a communicator and its views");
        }
    }

    void exit() {
        releaseWhenClosed();
        inside.unlock();
        if (closing && inside.tryLock()) { // closed between the two lines above
            releaseWhenClosed();
            inside.unlock();
        }
    }

    /** Of the group and all its views: one thread drives them. */
    @Nullable Waiting waiting() {
        return waiting;
    }

    void waiting(@Nullable Waiting now) {
        waiting = now;
    }

    void close() {
        closing = true;
        end("closed", List.of());
        if (inside.tryLock()) { // else the operation inside frees the memory when it has failed
            releaseWhenClosed();
            inside.unlock();
        }
    }

    private void releaseWhenClosed() {
        if (closing && !released && inside.getHoldCount() == 1) {
            released = true;
            release.run();
        }
    }
}
