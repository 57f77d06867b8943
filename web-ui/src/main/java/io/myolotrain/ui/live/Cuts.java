package io.myolotrain.ui.live;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where each generation of an attempt began. A step that an older generation reached beyond that point was run again: its
 * readings belong to an abandoned branch. One cut holds for all series of the attempt.
 */
final class Cuts {
    static final int CUTS_MAX = 1_024; // the oldest is forgotten; its readings are far behind by then

    private final TreeMap<Long, Long> firstStepByGeneration = new TreeMap<>();

    void add(long generation, long firstStep) {
        firstStepByGeneration.put(generation, firstStep);
        if (firstStepByGeneration.size() > CUTS_MAX) {
            firstStepByGeneration.pollFirstEntry();
        }
    }

    SortedMap<Long, Long> firstSteps() {
        return Collections.unmodifiableSortedMap(firstStepByGeneration);
    }

    boolean abandons(long generation, long step) {
        return abandons(generation, step, Long.MAX_VALUE);
    }

    /** The same as it was when {@code asOf} was the newest generation. */
    boolean abandons(long generation, long step, long asOf) {
        if (generation >= asOf) {
            return false;
        }
        for (Map.Entry<Long, Long> cut :
                firstStepByGeneration.subMap(generation, false, asOf, true).entrySet()) {
            if (step >= cut.getValue()) {
                return true;
            }
        }
        return false;
    }
}
