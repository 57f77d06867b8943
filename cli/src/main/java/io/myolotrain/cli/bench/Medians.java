package io.myolotrain.cli.bench;

import java.util.Arrays;
import java.util.List;

/** Robust middles: these machines are shared, and a mean tells about the neighbours. */
final class Medians {
    private Medians() {}

    static double of(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
