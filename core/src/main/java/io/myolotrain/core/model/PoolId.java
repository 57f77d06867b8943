package io.myolotrain.core.model;

/** Workers that may be planned together; the Kafka key of everything about them. */
public record PoolId(String value) implements Comparable<PoolId> {
    public PoolId {
        Ids.checked("pool", value);
    }

    @Override
    public int compareTo(PoolId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
