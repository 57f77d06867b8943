package io.myolotrain.core.planning;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How the text of a value becomes a value.
 *
 * @param legal the legal values in words
 * @param example one of them
 */
record ConfigValue<T>(String legal, String example, Function<String, Optional<T>> parser) {
    /** A job of 10¹² steps outlives its authors. */
    static final long STEPS_MAX = 1_000_000_000_000L;

    private static final int TEXT_MAX = 40; // characters; no legal value is longer
    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,18}");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?");

    Optional<T> parse(String text) {
        String trimmed = text.strip();
        return trimmed.length() > TEXT_MAX ? Optional.empty() : parser.apply(trimmed);
    }

    static ConfigValue<Long> integer(long min, long max) {
        return new ConfigValue<>(
                "an integer in [" + min + ", " + max + "]",
                Long.toString(Math.max(min, 1)),
                text -> INTEGER.matcher(text).matches()
                        ? Optional.of(Long.parseLong(text)).filter(v -> v >= min && v <= max)
                        : Optional.empty());
    }

    static ConfigValue<Double> decimal(double min, double max) {
        return number("[" + show(min) + ", " + show(max) + "]", max, v -> v >= min && v <= max);
    }

    static ConfigValue<Double> above(double min, double max) {
        return number("(" + show(min) + ", " + show(max) + "]", max, v -> v > min && v <= max);
    }

    static ConfigValue<Double> below(double min, double max) {
        return number("[" + show(min) + ", " + show(max) + ")", max, v -> v >= min && v < max);
    }

    private static ConfigValue<Double> number(String range, double max, Function<Double, Boolean> holds) {
        return new ConfigValue<>(
                "a number in " + range,
                show(max / 10),
                text -> DECIMAL.matcher(text).matches()
                        ? Optional.of(Double.parseDouble(text)).filter(holds::apply)
                        : Optional.empty());
    }

    static <E extends Enum<E>> ConfigValue<E> oneOf(E[] values) {
        return new ConfigValue<>(
                "one of " + Arrays.stream(values).map(ConfigValue::name).collect(Collectors.joining(", ")),
                name(values[0]),
                text -> Arrays.stream(values)
                        .filter(v -> name(v).equals(text.toLowerCase(Locale.ROOT)))
                        .findFirst());
    }

    /** The enum's name as people type it. */
    static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String show(double value) {
        return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
    }
}
