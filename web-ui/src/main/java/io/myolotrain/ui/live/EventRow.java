package io.myolotrain.ui.live;

import io.myolotrain.core.model.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of the event list: a fact, told to a person.
 *
 * @param id place in the log, {@code offset-index}: the same after a restart of this server
 * @param tone how a page may colour it; the kind says it in words too
 * @param text what happened
 * @param reason why, empty when the fact gives none
 */
public record EventRow(
        String id,
        long offset,
        int index,
        long atMs,
        String eventId,
        String kind,
        Tone tone,
        @Nullable String job,
        @Nullable String worker,
        @Nullable Long generation,
        String text,
        String reason,
        List<Refusal> refusals) {

    public enum Tone {
        NEUTRAL,
        GOOD,
        WARNING,
        BAD
    }

    boolean mentions(String lowerCaseQuery) {
        return contains(kind, lowerCaseQuery)
                || contains(text, lowerCaseQuery)
                || contains(reason, lowerCaseQuery)
                || contains(eventId, lowerCaseQuery)
                || (job != null && contains(job, lowerCaseQuery))
                || (worker != null && contains(worker, lowerCaseQuery))
                || refusals.stream()
                        .anyMatch(r -> contains(r.rule(), lowerCaseQuery)
                                || contains(r.value(), lowerCaseQuery)
                                || contains(r.nextStep(), lowerCaseQuery));
    }

    private static boolean contains(String text, String lowerCaseQuery) {
        return text.toLowerCase(java.util.Locale.ROOT).contains(lowerCaseQuery);
    }
}
