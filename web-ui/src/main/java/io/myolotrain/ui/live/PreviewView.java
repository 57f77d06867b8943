package io.myolotrain.ui.live;

import io.myolotrain.core.model.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a configuration change would do if it were published now; nothing was.
 *
 * @param sentence the whole in one line
 * @param settings what would be another value
 * @param before plan in force, null when there is none
 * @param after plan that would be issued, null when none would
 * @param movedBytes optimizer state that would change its owner
 * @param lowerBoundBytes the least that any balanced placement could move
 * @param basedOnOffset journal offset of the state that it was computed from
 */
public record PreviewView(
        Outcome outcome,
        String sentence,
        List<Refusal> refusals,
        List<Setting> settings,
        @Nullable Shape before,
        @Nullable Shape after,
        long movedBytes,
        long lowerBoundBytes,
        long basedOnOffset) {

    public enum Outcome {
        /** Against a rule. */
        REFUSED,
        /** A plan would be issued at once. */
        PLANNED,
        /** Accepted; another plan is being prepared, and the change would follow it. */
        WAITS,
        /** Accepted; no plan is possible or needed now. */
        ACCEPTED
    }

    public record Setting(String key, String from, String to) {}

    /**
     * A plan in numbers.
     *
     * @param accumulation micro-batches that the busiest rank computes in a step
     */
    public record Shape(long generation, int workers, int batch, int accumulation, List<String> members) {}
}
