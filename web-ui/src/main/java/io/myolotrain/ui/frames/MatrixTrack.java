package io.myolotrain.ui.frames;

import io.myolotrain.core.sampling.Matrix;
import io.myolotrain.core.sampling.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One number per layer and head, over the steps. */
public final class MatrixTrack {
    static final int STEPS_MAX = 512; // then every other one is forgotten
    static final int SIDE_MAX = 128; // of what one answer holds; more is pooled
    static final int DEAD_MAX = 500; // named in one answer; all are counted
    /** A head whose figure is below this share of the median over all heads of the step does next to nothing. */
    static final double DEAD_SHARE = 0.01;

    private final NavigableMap<Long, Grid> byStep = new TreeMap<>();

    @SuppressWarnings("ArrayRecordComponent") // kept here, never compared
    private record Grid(long generation, long atMs, int rows, int columns, float[] values) {
        float at(int row, int column) {
            return values[row * columns + column];
        }
    }

    void add(Origin origin, Matrix matrix) {
        long generation = origin.line().generation().value();
        Grid held = byStep.get(origin.step());
        if (FrameStore.outdated(held == null ? null : held.generation, generation)) {
            return;
        }
        float[] values = new float[matrix.values().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = matrix.values().get(i);
        }
        byStep.put(origin.step(), new Grid(generation, origin.atMs(), matrix.rows(), matrix.columns(), values));
        if (byStep.size() > STEPS_MAX) {
            var kept = new ArrayList<Long>(byStep.keySet());
            for (int i = 0; i < kept.size() - 1; i += 2) {
                byStep.remove(kept.get(i));
            }
        }
    }

    FrameStore.Listed listed(String name) {
        return new FrameStore.Listed(name, "matrix", byStep.size(), byStep.firstKey(), byStep.lastKey());
    }

    /**
     * Layers × heads at a step, or the difference to an earlier one.
     *
     * @param step pictured step at or before the one that was asked for, else the first
     * @param minusStep null = no difference
     * @param firstRow layers of the model before the first row of this answer
     * @param rows of the whole matrix
     * @param cellRows layers that a cell of this answer spans; the value that is largest in size stands for all
     * @param values row by row, null where nothing was measured
     * @param dead heads of this answer that do next to nothing, as {layer, head}
     * @param deadTotal over the whole matrix
     * @param deadBelow figure below which a head counts as dead, null when there is no median
     */
    public record View(
            long step,
            @Nullable Long minusStep,
            long generation,
            long atMs,
            int firstRow,
            int rows,
            int columns,
            int cellRows,
            int cellColumns,
            List<List<@Nullable Double>> values,
            List<List<Integer>> dead,
            int deadTotal,
            @Nullable Double deadBelow,
            List<Long> steps) {}

    /** @return empty when the two steps' matrices have different sizes */
    public Optional<View> view(long step, @Nullable Long minus, int firstRow, int rowsMax) {
        long at = nearest(step);
        Grid grid = java.util.Objects.requireNonNull(byStep.get(at));
        Long minusAt = minus == null ? null : Long.valueOf(nearest(minus));
        Grid before = minusAt == null ? null : byStep.get(minusAt);
        if (before != null && (before.rows != grid.rows || before.columns != grid.columns)) {
            return Optional.empty();
        }
        int from = Math.max(0, Math.min(firstRow, grid.rows - 1));
        int rows = Math.min(rowsMax, grid.rows - from);
        int cellRows = (rows + SIDE_MAX - 1) / SIDE_MAX;
        int cellColumns = (grid.columns + SIDE_MAX - 1) / SIDE_MAX;
        var values = new ArrayList<List<@Nullable Double>>();
        for (int row = from; row < from + rows; row += cellRows) {
            var line = new ArrayList<@Nullable Double>();
            for (int column = 0; column < grid.columns; column += cellColumns) {
                line.add(pooled(grid, before, row, Math.min(from + rows, row + cellRows), column, cellColumns));
            }
            values.add(line);
        }
        Double deadBelow = deadBelow(grid);
        List<List<Integer>> dead = dead(grid, deadBelow);
        return Optional.of(new View(
                at,
                minusAt,
                grid.generation,
                grid.atMs,
                from,
                grid.rows,
                grid.columns,
                cellRows,
                cellColumns,
                values,
                dead.stream()
                        .filter(d -> d.get(0) >= from && d.get(0) < from + rows)
                        .limit(DEAD_MAX)
                        .toList(),
                dead.size(),
                deadBelow,
                List.copyOf(byStep.keySet())));
    }

    private long nearest(long step) {
        Long at = byStep.floorKey(step);
        return at == null ? byStep.firstKey() : at;
    }

    private static @Nullable Double pooled(
            Grid grid, @Nullable Grid before, int fromRow, int toRow, int fromColumn, int cellColumns) {
        double largest = Double.NaN;
        for (int row = fromRow; row < toRow; row++) {
            for (int column = fromColumn; column < Math.min(grid.columns, fromColumn + cellColumns); column++) {
                double value = grid.at(row, column) - (before == null ? 0 : before.at(row, column));
                if (Double.isFinite(value) && !(Math.abs(value) <= Math.abs(largest))) {
                    largest = value;
                }
            }
        }
        return Double.isNaN(largest) ? null : largest;
    }

    private static @Nullable Double deadBelow(Grid grid) {
        double[] finite = new double[grid.values.length];
        int count = 0;
        for (float value : grid.values) {
            if (Float.isFinite(value)) {
                finite[count++] = Math.abs(value);
            }
        }
        if (count == 0) {
            return null;
        }
        Arrays.sort(finite, 0, count);
        return DEAD_SHARE * finite[count / 2];
    }

    private static List<List<Integer>> dead(Grid grid, @Nullable Double below) {
        var dead = new ArrayList<List<Integer>>();
        if (below == null || below == 0) {
            return dead;
        }
        for (int row = 0; row < grid.rows; row++) {
            for (int column = 0; column < grid.columns; column++) {
                if (Math.abs(grid.at(row, column)) < below) {
                    dead.add(List.of(row, column));
                }
            }
        }
        return dead;
    }
}
