package io.myolotrain.core.sampling;

import java.util.List;

/** The single values that one rank reports of one step: together, because a record costs more than a value. */
public record Scalars(List<Scalar> values) implements Content {
    public static final int VALUES_MAX = 4_096;

    /**
     * @param name dotted, for example {@code train.loss}
     * @param value may be NaN or infinite: that is news, not an error
     */
    public record Scalar(String name, double value) {}

    public Scalars {
        if (values.size() > VALUES_MAX) {
            throw new IllegalArgumentException(
                    "a reading holds at most " + VALUES_MAX + " values; send more records: values=" + values.size());
        }
        values = List.copyOf(values);
    }

    public static Scalars of(String name, double value) {
        return new Scalars(List.of(new Scalar(name, value)));
    }
}
