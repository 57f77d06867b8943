package io.myolotrain.cli.embedded.registry;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Whether schemas may be written. Confluent's IMPORT is not offered: this registry allots every id itself. */
enum Mode {
    READWRITE,
    READONLY;

    static Optional<Mode> named(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return Arrays.stream(values()).filter(mode -> mode.name().equals(upper)).findFirst();
    }
}
