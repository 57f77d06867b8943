package io.myolotrain.topics;

import java.util.Arrays;

/** Enums by name. Avro's have one symbol more: UNKNOWN is what an older reader sees of a newer symbol. */
final class Symbols {
    static final String UNKNOWN = "UNKNOWN";

    private Symbols() {}

    static <A extends Enum<A>> A toAvro(Class<A> type, Enum<?> value) {
        return Enum.valueOf(type, value.name());
    }

    static <C extends Enum<C>> C toCore(Class<C> type, Enum<?> symbol) {
        if (symbol.name().equals(UNKNOWN)) {
            throw new IllegalArgumentException(
                    "a " + type.getSimpleName() + " must be one that this release knows: known="
                            + Arrays.toString(type.getEnumConstants()) + "; upgrade the reader");
        }
        return Enum.valueOf(type, symbol.name());
    }
}
