package io.myolotrain.core.model;

/** Position of a member in a plan, from 0; NCCL's word. */
public record Rank(int value) implements Comparable<Rank> {
    public Rank {
        if (value < 0) {
            throw new IllegalArgumentException("rank must be >= 0: rank=" + value);
        }
    }

    @Override
    public int compareTo(Rank other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Integer.toString(value);
    }
}
