package io.myolotrain.cli.output;

import java.util.Locale;

/** Quantities as people read them. */
public final class Units {
    private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Units() {}

    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, BYTE_UNITS[unit]);
    }

    public static String millis(long micros) {
        return String.format(Locale.ROOT, micros < 10_000 ? "%.1f ms" : "%.0f ms", micros / 1_000.0);
    }

    /** Four decimals, or a dash when there is no loss yet. */
    public static String loss(double loss) {
        return Double.isNaN(loss) ? "-" : String.format(Locale.ROOT, "%.4f", loss);
    }
}
