package io.myolotrain.core.model;

/** A training job within a pool. */
public record JobId(String value) implements Comparable<JobId> {
    public JobId {
        Ids.checked("job", value);
    }

    @Override
    public int compareTo(JobId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
