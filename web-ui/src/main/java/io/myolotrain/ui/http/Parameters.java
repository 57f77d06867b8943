package io.myolotrain.ui.http;

import io.vertx.ext.web.RoutingContext;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Query parameters, checked: what is wrong is refused with the rule and the value. */
record Parameters(RoutingContext ctx) {
    private static final int TEXT_CHARS_MAX = 200;
    private static final int PARTITIONS_MAX = 64; // in a cursor

    /** Empty when absent. */
    String text(String name) {
        String value = ctx.request().getParam(name);
        if (value == null) {
            return "";
        }
        if (value.length() > TEXT_CHARS_MAX) {
            throw refused(name + " has at most " + TEXT_CHARS_MAX + " characters", "characters=" + value.length());
        }
        return value;
    }

    int number(String name, int otherwise, int min, int max) {
        long value = bigNumber(name, otherwise);
        if (value < min || value > max) {
            throw refused(name + " is in [" + min + ", " + max + "]", Long.toString(value));
        }
        return (int) value;
    }

    long bigNumber(String name, long otherwise) {
        Long value = optionalNumber(name);
        return value == null ? otherwise : value;
    }

    @Nullable Long optionalNumber(String name) {
        String value = text(name);
        try {
            return value.isEmpty() ? null : Long.valueOf(value);
        } catch (NumberFormatException e) {
            throw refused(name + " is a whole number", value);
        }
    }

    @Nullable Integer optionalInt(String name) {
        Long value = optionalNumber(name);
        if (value != null && value.intValue() != value) {
            throw refused(name + " is a whole number that fits 32 bits", Long.toString(value));
        }
        return value == null ? null : Integer.valueOf(value.intValue());
    }

    /** {@code 0:12,3:7}: offsets by partition. */
    SortedMap<Integer, Long> offsets(String name) {
        var offsets = new TreeMap<Integer, Long>();
        String value = text(name);
        if (value.isEmpty()) {
            return offsets;
        }
        for (String part : value.split(",", PARTITIONS_MAX)) {
            try {
                int colon = part.indexOf(':');
                offsets.put(Integer.valueOf(part.substring(0, colon)), Long.valueOf(part.substring(colon + 1)));
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                throw refused(name + " is partition:offset, comma-separated", value);
            }
        }
        return offsets;
    }

    static Problem.ProblemException refused(String rule, String value) {
        return new Problem.ProblemException(Problem.badRequest(rule, value, "read /openapi.yaml"));
    }
}
