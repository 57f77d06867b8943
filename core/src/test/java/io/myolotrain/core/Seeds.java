package io.myolotrain.core;

import java.util.stream.LongStream;

/** Seeds of a property: a fixed few by default, more through {@code -Dmyolotrain.seeds=N}. */
public final class Seeds {
    private Seeds() {}

    public static LongStream of(int byDefault) {
        return LongStream.range(0, Integer.getInteger("myolotrain.seeds", byDefault));
    }
}
