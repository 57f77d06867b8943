package io.myolotrain.core.model;

import java.util.Comparator;

/** One life of a worker process. A restarted process has the same id and a larger incarnation; the older one is fenced. */
public record WorkerRef(WorkerId id, long incarnation) implements Comparable<WorkerRef> {
    private static final Comparator<WorkerRef> ORDER =
            Comparator.comparing(WorkerRef::id).thenComparingLong(WorkerRef::incarnation);

    public WorkerRef {
        if (incarnation < 0) {
            throw new IllegalArgumentException("incarnation must be >= 0: incarnation=" + incarnation);
        }
    }

    @Override
    public int compareTo(WorkerRef other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return id + "#" + incarnation;
    }
}
