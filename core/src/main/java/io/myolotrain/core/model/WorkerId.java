package io.myolotrain.core.model;

/** A worker process across its restarts; see {@link WorkerRef} for one life of it. */
public record WorkerId(String value) implements Comparable<WorkerId> {
    public WorkerId {
        Ids.checked("worker", value);
    }

    @Override
    public int compareTo(WorkerId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
