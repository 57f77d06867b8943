package io.myolotrain.ui.frames;

import io.myolotrain.core.sampling.Histogram;
import io.myolotrain.core.sampling.Histograms;
import io.myolotrain.core.sampling.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Histograms of one name over the steps. When there are too many steps every other one is forgotten, but none that holds a
 * value that is not finite: a fault of one step stays visible.
 */
public final class HistogramTrack {
    static final int STEPS_MAX = 2_048;
    /** Values of a bucket [a, 2a), spread evenly over their logarithm, have the mean square 3a² / (2 ln 2). */
    private static final double MEAN_SQUARE = 1.5 / Math.log(2);

    private final NavigableMap<Long, Column> byStep = new TreeMap<>();
    private long stride = 1; // steps that are not a multiple of it were forgotten

    private static final class Column {
        final long generation;
        final SortedMap<Integer, Cell> layers = new TreeMap<>();

        Column(long generation) {
            this.generation = generation;
        }

        boolean finite() {
            return layers.values().stream().allMatch(c -> c.nans == 0 && c.positive == 0 && c.negative == 0);
        }
    }

    /** One layer over one step or several. */
    private static final class Cell {
        final long[] counts = new long[Histogram.BUCKETS];
        long zeros;
        long nans;
        long positive;
        long negative;
        double max;
        /** Told, or NaN: of one step, because norms of several are not added up. */
        double squares = Double.NaN;

        void add(Histogram of) {
            squares = of.sumOfSquares();
            for (int i = 0; i < of.counts().size(); i++) {
                counts[of.firstBucket() + i] += of.counts().get(i);
            }
            add(of.zeros(), of.nans(), of.positiveInfinities(), of.negativeInfinities(), of.maxMagnitude());
        }

        void add(Cell of) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += of.counts[i];
            }
            add(of.zeros, of.nans, of.positive, of.negative, of.max);
        }

        private void add(long moreZeros, long moreNans, long morePositive, long moreNegative, double otherMax) {
            zeros += moreZeros;
            nans += moreNans;
            positive += morePositive;
            negative += moreNegative;
            max = Math.max(max, otherMax);
        }

        long finite() {
            long sum = zeros;
            for (long count : counts) {
                sum += count;
            }
            return sum;
        }

        /** Square root of the sum of squares; where that was not told, estimated from the buckets. NaN when no value was finite. */
        double norm() {
            if (finite() == 0) {
                return Double.NaN;
            }
            if (!Double.isNaN(squares)) {
                return Math.sqrt(squares);
            }
            double sum = 0;
            for (int bucket = 0; bucket < counts.length; bucket++) {
                double low = Histogram.lowerBound(bucket);
                sum += counts[bucket] * MEAN_SQUARE * low * low;
            }
            return Math.sqrt(sum);
        }
    }

    void add(Origin origin, Histograms histograms) {
        long generation = origin.line().generation().value();
        Column held = byStep.get(origin.step());
        if (FrameStore.outdated(held == null ? null : held.generation, generation)) {
            return;
        }
        if (held == null || held.generation < generation) {
            held = new Column(generation);
            byStep.put(origin.step(), held);
        }
        for (Histogram layer : histograms.layers()) {
            var cell = new Cell();
            cell.add(layer);
            held.layers.put(layer.layer(), cell); // the ranks' gradients are equal once they are reduced
        }
        while (byStep.size() > STEPS_MAX) {
            thin();
        }
    }

    private void thin() {
        stride *= 2;
        int before = byStep.size();
        byStep.entrySet().removeIf(e -> e.getKey() % stride != 0 && e.getValue().finite());
        if (byStep.size() == before && byStep.size() > STEPS_MAX) {
            byStep.pollFirstEntry();
        }
    }

    FrameStore.Listed listed(String name) {
        return new FrameStore.Listed(name, "histograms", byStep.size(), byStep.firstKey(), byStep.lastKey());
    }

    /**
     * Layers × steps.
     *
     * @param layers -1 = embeddings, number of blocks = head
     * @param firstSteps of each column; a column spans several steps when there are more than columns
     * @param norms layer by layer, the largest norm of a column's steps; null where no value was finite or nothing was
     *     pictured
     * @param largest the same of the largest finite magnitude
     * @param odd cells that hold values that are not finite
     * @param stepsPerColumn pictured steps that a column holds at most
     * @param thinnedTo of all pictured steps, those that are multiples of this are kept, and all that are not finite
     */
    public record Heatmap(
            List<Integer> layers,
            List<Long> firstSteps,
            List<Long> lastSteps,
            List<Long> generations,
            List<List<@Nullable Double>> norms,
            List<List<@Nullable Double>> largest,
            List<Odd> odd,
            int stepsPerColumn,
            long thinnedTo) {}

    /** @param finite values of the cell that are finite; 0 = all of it is not */
    public record Odd(int row, int column, long nans, long positive, long negative, long finite) {}

    public Heatmap heatmap(long fromStep, long toStep, int columnsMax) {
        List<Group> groups = groups(fromStep, toStep, columnsMax);
        var layers = new TreeSet<Integer>();
        groups.forEach(g -> layers.addAll(g.layers()));
        var norms = new ArrayList<List<@Nullable Double>>();
        var largest = new ArrayList<List<@Nullable Double>>();
        var odd = new ArrayList<Odd>();
        int row = 0;
        for (int layer : layers) {
            var normRow = new ArrayList<@Nullable Double>();
            var largestRow = new ArrayList<@Nullable Double>();
            for (int column = 0; column < groups.size(); column++) {
                Group group = groups.get(column);
                normRow.add(group.norm(layer));
                largestRow.add(group.largest(layer));
                Cell all = group.merged(layer);
                if (all.nans + all.positive + all.negative > 0) {
                    odd.add(new Odd(row, column, all.nans, all.positive, all.negative, all.finite()));
                }
            }
            norms.add(normRow);
            largest.add(largestRow);
            row++;
        }
        return new Heatmap(
                List.copyOf(layers),
                groups.stream().map(g -> g.first).toList(),
                groups.stream().map(g -> g.last).toList(),
                groups.stream().map(g -> g.columns.get(0).generation).toList(),
                norms,
                largest,
                odd,
                groups.stream().mapToInt(g -> g.columns.size()).max().orElse(1),
                stride);
    }

    /**
     * Magnitude buckets × steps of one layer.
     *
     * @param firstBucket power of two of the lowest row, as {@code 2^(firstBucket - 48)}
     * @param shares bucket by bucket from the lowest: share of the column's finite values; columns without any are 0
     * @param zeros share of the finite values that are 0, by column
     * @param finite finite values, by column
     */
    public record Magnitudes(
            int layer,
            List<Long> firstSteps,
            List<Long> lastSteps,
            List<Long> generations,
            int firstBucket,
            List<List<Double>> shares,
            List<Double> zeros,
            List<Long> finite,
            List<Odd> odd,
            int stepsPerColumn,
            long thinnedTo) {}

    public Magnitudes magnitudes(int layer, long fromStep, long toStep, int columnsMax) {
        List<Group> groups = groups(fromStep, toStep, columnsMax);
        List<Cell> cells = groups.stream().map(g -> g.merged(layer)).toList();
        int lowest = Histogram.BUCKETS;
        int highest = -1;
        for (Cell cell : cells) {
            for (int b = 0; b < Histogram.BUCKETS; b++) {
                if (cell.counts[b] > 0) {
                    lowest = Math.min(lowest, b);
                    highest = Math.max(highest, b);
                }
            }
        }
        var shares = new ArrayList<List<Double>>();
        for (int b = lowest; b <= highest; b++) {
            int bucket = b;
            shares.add(cells.stream()
                    .map(c -> c.counts[bucket] / (double) Math.max(1, c.finite()))
                    .toList());
        }
        var odd = new ArrayList<Odd>();
        for (int column = 0; column < cells.size(); column++) {
            Cell c = cells.get(column);
            if (c.nans + c.positive + c.negative > 0) {
                odd.add(new Odd(0, column, c.nans, c.positive, c.negative, c.finite()));
            }
        }
        return new Magnitudes(
                layer,
                groups.stream().map(g -> g.first).toList(),
                groups.stream().map(g -> g.last).toList(),
                groups.stream().map(g -> g.columns.get(0).generation).toList(),
                highest < 0 ? 0 : lowest,
                shares,
                cells.stream()
                        .map(c -> c.zeros / (double) Math.max(1, c.finite()))
                        .toList(),
                cells.stream().map(Cell::finite).toList(),
                odd,
                groups.stream().mapToInt(g -> g.columns.size()).max().orElse(1),
                stride);
    }

    private static final class Group {
        final long first;
        long last;
        final List<Column> columns = new ArrayList<>();

        Group(long first) {
            this.first = first;
        }

        SortedSet<Integer> layers() {
            var all = new TreeSet<Integer>();
            columns.forEach(c -> all.addAll(c.layers.keySet()));
            return all;
        }

        Cell merged(int layer) {
            var all = new Cell();
            for (Column column : columns) {
                Cell cell = column.layers.get(layer);
                if (cell != null) {
                    all.add(cell);
                }
            }
            return all;
        }

        @Nullable Double norm(int layer) {
            double largest = columns.stream()
                    .map(c -> c.layers.get(layer))
                    .filter(java.util.Objects::nonNull)
                    .mapToDouble(Cell::norm)
                    .filter(Double::isFinite)
                    .max()
                    .orElse(Double.NaN);
            return Double.isNaN(largest) ? null : largest;
        }

        @Nullable Double largest(int layer) {
            Cell all = merged(layer);
            return all.finite() == 0 ? null : all.max;
        }
    }

    /** Pictured steps in order, so many to a column that they fit; aligned, so that a column does not change as steps come. */
    private List<Group> groups(long fromStep, long toStep, int columnsMax) {
        var inRange = byStep.subMap(Math.min(fromStep, toStep), true, toStep, true);
        long width = 1;
        List<Group> groups = grouped(inRange, width);
        while (groups.size() > columnsMax) {
            width *= 2;
            groups = grouped(inRange, width);
        }
        return groups;
    }

    private static List<Group> grouped(SortedMap<Long, Column> columns, long width) {
        var groups = new ArrayList<Group>();
        long slot = Long.MIN_VALUE;
        for (var entry : columns.entrySet()) {
            long next = Math.floorDiv(entry.getKey(), width);
            if (next != slot) {
                groups.add(new Group(entry.getKey()));
                slot = next;
            }
            Group group = groups.get(groups.size() - 1);
            group.last = entry.getKey();
            group.columns.add(entry.getValue());
        }
        return groups;
    }
}
