package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.ui.port.LogArchive;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A record of a log, told to a person.
 *
 * @param journalOffset of the journal entry that this record is or follows from; null for dead letters
 * @param step that the record is about, to find the moment in the curves
 * @param more what else the same decision did
 */
public record LogRow(
        String log,
        int partition,
        long offset,
        long atMs,
        String key,
        String eventId,
        String kind,
        EventRow.Tone tone,
        @Nullable String job,
        @Nullable Long step,
        @Nullable Long generation,
        @Nullable Long journalOffset,
        String text,
        String reason,
        List<Refusal> refusals,
        List<String> more) {

    public static LogRow of(LogArchive.Line line) {
        LogArchive.Entry entry = line.entry();
        if (entry instanceof LogArchive.Journaled journaled) {
            return journaled(line, journaled);
        }
        if (entry instanceof LogArchive.Decided decided) {
            return decided(line, decided.decision());
        }
        if (entry instanceof LogArchive.Rejected rejected) {
            return bad(
                    line,
                    "rejected",
                    "Record " + rejected.offset() + " of " + rejected.topic() + "-" + rejected.partition()
                            + " was not let in",
                    rejected.reason());
        }
        return bad(line, "unreadable", "This record cannot be read", ((LogArchive.Unreadable) entry).reason());
    }

    /** Whether the row is about the job, or about none. */
    public boolean concerns(String wantedJob) {
        return wantedJob.isEmpty() || job == null || job.equals(wantedJob);
    }

    public boolean mentions(String lowerCaseQuery) {
        return lowerCaseQuery.isEmpty()
                || contains(kind, lowerCaseQuery)
                || contains(text, lowerCaseQuery)
                || contains(reason, lowerCaseQuery)
                || contains(eventId, lowerCaseQuery)
                || contains(key, lowerCaseQuery)
                || more.stream().anyMatch(m -> contains(m, lowerCaseQuery))
                || refusals.stream()
                        .anyMatch(r -> contains(r.rule(), lowerCaseQuery)
                                || contains(r.value(), lowerCaseQuery)
                                || contains(r.nextStep(), lowerCaseQuery));
    }

    private static boolean contains(String text, String lowerCaseQuery) {
        return text.toLowerCase(Locale.ROOT).contains(lowerCaseQuery);
    }

    private static LogRow journaled(LogArchive.Line line, LogArchive.Journaled journaled) {
        var event = journaled.entry().event();
        EventSentence sentence = EventSentence.of(event);
        return new LogRow(
                line.log().topic(),
                line.partition(),
                line.offset(),
                line.atMs(),
                line.key(),
                journaled.entry().id(),
                sentence.kind(),
                EventRow.Tone.NEUTRAL,
                sentence.job(),
                event instanceof io.myolotrain.core.coordination.Event.StepCompleted s ? s.step() : null,
                null,
                journaled.entry().offset(),
                sentence.text(),
                sentence.reason(),
                List.of(),
                List.of());
    }

    private static LogRow decided(LogArchive.Line line, Decision decision) {
        List<EventRow> rows = EventRows.of(decision);
        EventRow first = rows.isEmpty() ? null : rows.get(0);
        return new LogRow(
                line.log().topic(),
                line.partition(),
                line.offset(),
                line.atMs(),
                line.key(),
                decision.eventId(),
                first == null ? routineKind(decision) : first.kind(),
                first == null ? EventRow.Tone.NEUTRAL : first.tone(),
                first == null ? routineJob(decision) : first.job(),
                step(decision),
                first == null ? null : first.generation(),
                decision.offset(),
                first == null ? routine(decision) : first.text(),
                first == null ? "" : first.reason(),
                first == null ? List.of() : first.refusals(),
                rows.stream().skip(1).map(EventRow::text).toList());
    }

    private static LogRow bad(LogArchive.Line line, String kind, String text, String reason) {
        return new LogRow(
                line.log().topic(),
                line.partition(),
                line.offset(),
                line.atMs(),
                line.key(),
                "",
                kind,
                EventRow.Tone.BAD,
                null,
                null,
                null,
                null,
                text,
                reason,
                List.of(),
                List.of());
    }

    private static String routineKind(Decision decision) {
        return decision.facts().stream().anyMatch(Fact.ProgressRecorded.class::isInstance) ? "step" : "nothing";
    }

    private static @Nullable String routineJob(Decision decision) {
        return decision.facts().stream()
                .filter(Fact.ProgressRecorded.class::isInstance)
                .map(f -> ((Fact.ProgressRecorded) f).job().value())
                .findFirst()
                .orElse(null);
    }

    private static String routine(Decision decision) {
        for (Fact fact : decision.facts()) {
            if (fact instanceof Fact.ProgressRecorded f) {
                return String.format(Locale.ROOT, "Step %,d of %s committed, loss %.4g", f.step(), f.job(), f.loss());
            }
        }
        return decision.facts().isEmpty() ? "Nothing to do" : "A timer was set or cleared";
    }

    private static @Nullable Long step(Decision decision) {
        for (Fact fact : decision.facts()) {
            if (fact instanceof Fact.ProgressRecorded f) {
                return f.step();
            }
            if (fact instanceof Fact.PlanActivated f) {
                return f.firstStep();
            }
            if (fact instanceof Fact.CheckpointRecorded f) {
                return f.step();
            }
        }
        return null;
    }
}
