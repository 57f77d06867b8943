package io.myolotrain.core.training;

/**
 * Sums of a few doubles in the order of {@link ReductionTree}: the same bits whoever computed the terms. For the global
 * gradient norm over shards and the mean loss over micro-batches.
 */
public final class TreeSum {
    private TreeSum() {}

    public static double of(double[] terms) {
        return terms.length == 0 ? 0 : of(terms, 0, terms.length);
    }

    private static double of(double[] terms, int first, int end) {
        if (end - first == 1) {
            return terms[first];
        }
        int middle = first + ReductionTree.leftLeaves(end - first);
        return of(terms, first, middle) + of(terms, middle, end);
    }
}
