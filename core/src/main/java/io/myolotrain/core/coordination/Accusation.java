package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.WorkerRef;
import java.util.List;

/**
 * Few members say that many are gone. Perhaps they are; perhaps it is the few that are cut off, or that slept and found
 * everything closed when they woke. The many get a moment to speak before they are given up.
 *
 * @param generation whose collective broke
 * @param heard members that have reported the break: they live, whatever others say of them; in the order of their reports
 * @param suspects named by somebody, and not heard
 */
public record Accusation(Generation generation, List<WorkerRef> heard, List<WorkerRef> suspects) {
    public Accusation {
        heard = List.copyOf(heard);
        suspects = List.copyOf(suspects);
    }
}
