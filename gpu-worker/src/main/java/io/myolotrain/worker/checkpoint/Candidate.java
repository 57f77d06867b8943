package io.myolotrain.worker.checkpoint;

import io.myolotrain.core.model.Generation;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * A directory that may be a checkpoint, with what a look at its manifest and file sizes says. Contents are checked when it
 * is opened.
 *
 * @param step step that the directory claims
 */
public record Candidate(Path directory, long step, Verdict verdict) {
    /** Newest first; of one step the later generation first, and what was published before what was not. */
    static final Comparator<Candidate> NEWEST_FIRST = Comparator.comparingLong(Candidate::step)
            .reversed()
            .thenComparing(Candidate::isComplete, Comparator.reverseOrder())
            .thenComparing(Candidate::generation, Comparator.reverseOrder())
            .thenComparing(candidate -> candidate.directory().toString(), Comparator.reverseOrder());

    public sealed interface Verdict permits Complete, Skipped {}

    public record Complete(Manifest manifest) implements Verdict {}

    /** @param reason what is missing or wrong */
    public record Skipped(String reason) implements Verdict {}

    public boolean isComplete() {
        return verdict instanceof Complete;
    }

    private Generation generation() {
        return verdict instanceof Complete complete ? complete.manifest().generation() : Generation.NONE;
    }
}
