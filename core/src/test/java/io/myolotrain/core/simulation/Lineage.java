package io.myolotrain.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What truly happened: the steps that one line of worlds has committed, each on top of the one before. A resume from a
 * checkpoint starts a new line, and from then on only that one counts: the old world may not know yet that it is given up.
 */
final class Lineage {
    /** Samples consumed by all steps up to this one. */
    private final TreeMap<Long, Long> samplesAfter = new TreeMap<>();

    /** The same, with the steps that were committed by members who died before anyone else had them. */
    private final TreeMap<Long, TreeSet<Long>> everSamplesAfter = new TreeMap<>();

    private final TreeSet<Long> checkpoints = new TreeSet<>();

    private Lineage() {}

    static Lineage fromTheSeed() {
        var lineage = new Lineage();
        lineage.put(0, 0);
        lineage.checkpoints.add(0L);
        return lineage;
    }

    /** Goes on from the last checkpoint. */
    Lineage resumed() {
        var next = new Lineage();
        samplesAfter.headMap(lastCheckpoint(), true).forEach(next::put);
        next.checkpoints.addAll(checkpoints);
        return next;
    }

    long lastCheckpoint() {
        return checkpoints.last();
    }

    /** A step that nobody lived to hold is run again. */
    void goOnFrom(long step) {
        samplesAfter.tailMap(step, false).clear();
        checkpoints.tailSet(step, false).clear();
    }

    /** Invariant 3: the samples of a step follow those of the step before, whatever happened in between. */
    void commit(long step, int samples) {
        Long before = samplesAfter.get(step - 1);
        assertThat(before).as("step %s follows a committed step", step).isNotNull();
        put(step, before + samples);
    }

    private void put(long step, long samples) {
        samplesAfter.put(step, samples);
        everSamplesAfter.computeIfAbsent(step, s -> new TreeSet<>()).add(samples);
    }

    void checkpoint(long step) {
        checkpoints.add(step);
    }

    long samplesAfter(long step) {
        Long samples = samplesAfter.get(step);
        assertThat(samples).as("step %s is committed", step).isNotNull();
        return samples;
    }

    /** Whether some member committed this step, with so many samples consumed then. */
    boolean held(long step, long samples) {
        return everSamplesAfter.getOrDefault(step, new TreeSet<>()).contains(samples);
    }

    long lastStep() {
        return samplesAfter.lastKey();
    }
}
