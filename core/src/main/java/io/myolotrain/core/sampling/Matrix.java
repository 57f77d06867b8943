package io.myolotrain.core.sampling;

import java.util.List;

/**
 * One number per layer and head.
 *
 * @param rows layers
 * @param columns heads
 * @param values row by row; NaN where nothing was measured
 */
public record Matrix(String name, int rows, int columns, List<Float> values) implements Frame {
    public static final int VALUES_MAX = 65_536;

    public Matrix {
        Frame.requireName(name);
        if (rows < 1 || columns < 1 || (long) rows * columns > VALUES_MAX) {
            throw new IllegalArgumentException("a matrix has >= 1 row and column and at most " + VALUES_MAX
                    + " values: rows=" + rows + " columns=" + columns);
        }
        if (values.size() != rows * columns) {
            throw new IllegalArgumentException("a matrix has rows × columns values: rows=" + rows + " columns="
                    + columns + " values=" + values.size());
        }
        values = List.copyOf(values);
    }
}
