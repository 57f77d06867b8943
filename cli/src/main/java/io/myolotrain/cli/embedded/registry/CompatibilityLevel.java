package io.myolotrain.cli.embedded.registry;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Confluent's levels: who must be able to read whom, and how far back. */
enum CompatibilityLevel {
    NONE(false, false, false),
    BACKWARD(true, false, false),
    BACKWARD_TRANSITIVE(true, false, true),
    FORWARD(false, true, false),
    FORWARD_TRANSITIVE(false, true, true),
    FULL(true, true, false),
    FULL_TRANSITIVE(true, true, true);

    final boolean newReadsOld;
    final boolean oldReadsNew;
    final boolean transitive;

    CompatibilityLevel(boolean newReadsOld, boolean oldReadsNew, boolean transitive) {
        this.newReadsOld = newReadsOld;
        this.oldReadsNew = oldReadsNew;
        this.transitive = transitive;
    }

    static Optional<CompatibilityLevel> named(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(level -> level.name().equals(upper))
                .findFirst();
    }
}
