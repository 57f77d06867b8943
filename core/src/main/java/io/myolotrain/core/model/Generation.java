package io.myolotrain.core.model;

/** Fencing number of a job's plans: it only grows, and a worker refuses an older one. {@link #NONE} is before the first plan. */
public record Generation(long value) implements Comparable<Generation> {
    public static final Generation NONE = new Generation(0);

    public Generation {
        if (value < 0) {
            throw new IllegalArgumentException("generation must be >= 0: generation=" + value);
        }
    }

    public Generation next() {
        return new Generation(value + 1);
    }

    public boolean isAfter(Generation other) {
        return value > other.value;
    }

    @Override
    public int compareTo(Generation other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
