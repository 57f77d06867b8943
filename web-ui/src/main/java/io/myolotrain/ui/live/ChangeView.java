package io.myolotrain.ui.live;

import io.myolotrain.core.model.Refusal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The way of one configuration change.
 *
 * <pre>
 *  PUBLISHED ──> ACCEPTED ──> PLANNED ──> APPLIED
 *      │             ^           │
 *      └──> REFUSED  └─withdrawn─┘
 * </pre>
 *
 * @param generation of the plan that carries the change, null before there is one; a withdrawn plan's stays, because
 *     its vote may have passed unseen
 * @param firstStep step from which the change holds
 * @param note what happened on the way, for people
 */
public record ChangeView(
        String eventId,
        String job,
        SortedMap<String, String> changes,
        String requestedBy,
        Status status,
        long publishedAtMs,
        @Nullable Long decidedAtMs,
        @Nullable Long plannedAtMs,
        @Nullable Long generation,
        @Nullable Long appliedAtMs,
        @Nullable Long firstStep,
        @Nullable Long stallMicros,
        @Nullable Long movedBytes,
        List<Refusal> refusals,
        String note) {

    public enum Status {
        PUBLISHED,
        ACCEPTED,
        REFUSED,
        PLANNED,
        APPLIED
    }

    static ChangeView published(
            String eventId, String job, SortedMap<String, String> changes, String requestedBy, long atMs) {
        return new ChangeView(
                eventId,
                job,
                new TreeMap<>(changes),
                requestedBy,
                Status.PUBLISHED,
                atMs,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                "");
    }

    boolean open() {
        return status != Status.REFUSED && status != Status.APPLIED;
    }

    ChangeView accepted(SortedMap<String, String> as, long atMs) {
        return new ChangeView(
                eventId,
                job,
                new TreeMap<>(as),
                requestedBy,
                Status.ACCEPTED,
                publishedAtMs,
                atMs,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                "");
    }

    ChangeView refused(List<Refusal> why, long atMs) {
        return new ChangeView(
                eventId,
                job,
                changes,
                requestedBy,
                Status.REFUSED,
                publishedAtMs,
                atMs,
                null,
                null,
                null,
                null,
                null,
                null,
                why,
                "");
    }

    ChangeView planned(long inGeneration, String reason, long atMs) {
        return new ChangeView(
                eventId,
                job,
                changes,
                requestedBy,
                Status.PLANNED,
                publishedAtMs,
                decidedAtMs,
                atMs,
                inGeneration,
                null,
                null,
                null,
                null,
                List.of(),
                reason);
    }

    ChangeView withdrawn(String reason) {
        return new ChangeView(
                eventId,
                job,
                changes,
                requestedBy,
                Status.ACCEPTED,
                publishedAtMs,
                decidedAtMs,
                null,
                generation,
                null,
                null,
                null,
                null,
                List.of(),
                "plan of generation " + generation + " withdrawn: " + reason);
    }

    ChangeView applied(long inGeneration, long atStep, long stall, long moved, long atMs) {
        return new ChangeView(
                eventId,
                job,
                changes,
                requestedBy,
                Status.APPLIED,
                publishedAtMs,
                decidedAtMs,
                plannedAtMs,
                inGeneration,
                atMs,
                atStep,
                stall,
                moved,
                List.of(),
                note);
    }
}
