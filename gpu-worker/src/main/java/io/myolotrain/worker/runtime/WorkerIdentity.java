package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;

/** Who this process is. A new incarnation makes everything that the old one still has under way stale. Thread-safe. */
final class WorkerIdentity {
    private final WorkerEvents events;
    private volatile WorkerInfo info;

    WorkerIdentity(WorkerInfo info, WorkerEvents events) {
        this.info = info;
        this.events = events;
    }

    WorkerRef ref() {
        return info.ref();
    }

    WorkerInfo info() {
        return info;
    }

    void join() {
        events.report(new Event.WorkerJoined(info));
    }

    /** Known only once the server listens, before the worker joins. */
    synchronized void httpPort(int port) {
        info = with(info.ref(), port);
    }

    /** The pool has given up this life of the worker; the process offers itself again. */
    synchronized void rejoin() {
        WorkerRef before = info.ref();
        info = with(new WorkerRef(before.id(), before.incarnation() + 1), info.httpPort());
        join();
    }

    private WorkerInfo with(WorkerRef ref, int httpPort) {
        return new WorkerInfo(
                ref,
                info.pool(),
                info.host(),
                info.address(),
                info.peerPort(),
                info.storePort(),
                httpPort,
                info.kernel(),
                info.version());
    }
}
