package io.myolotrain.worker.checkpoint;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.worker.checkpoint.Candidate.Complete;
import io.myolotrain.worker.checkpoint.Candidate.Skipped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints under one directory that all workers of a job share. Which checkpoint counts is decided by what the
 * directories hold, never by a pointer file and never by the highest number alone.
 */
public final class CheckpointStore {
    private static final int LOOKS_MAX = 3;

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointStore.class);

    private final Path root;
    private final FileLayer files;
    private final Inspection inspection;

    public CheckpointStore(Path root, FileLayer files) {
        this.root = root.toAbsolutePath().normalize();
        this.files = files;
        this.inspection = new Inspection(files);
    }

    /** Begins a save; touches nothing yet. Ranks of one generation that begin the same step write one checkpoint. */
    public CheckpointSave begin(JobId job, String attempt, Generation generation, long step) {
        return new CheckpointSave(this, files, job, attempt, generation, step);
    }

    /** Everything that looks like a checkpoint of the attempt, newest first, with what a quick look says of it. */
    public List<Candidate> candidates(JobId job, String attempt) {
        Path directory = directory(job, attempt);
        var candidates = new ArrayList<Candidate>();
        for (String name : list(directory)) {
            OptionalLong step = CheckpointPaths.stepOf(name);
            if (step.isPresent()) {
                Path candidate = directory.resolve(name);
                candidates.add(new Candidate(
                        candidate, step.getAsLong(), inspection.look(candidate, job, attempt, step.getAsLong())));
            }
        }
        candidates.sort(Candidate.NEWEST_FIRST);
        return List.copyOf(candidates);
    }

    /** The newest checkpoint that passes every check; each one skipped on the way is named in a warning. */
    public Optional<LoadedCheckpoint> openNewest(JobId job, String attempt) {
        for (Candidate candidate : candidates(job, attempt)) {
            Opening opening = open(candidate, job, attempt);
            if (opening.loaded != null) {
                return Optional.of(opening.loaded);
            }
            LOG.atWarn()
                    .addKeyValue("job", job)
                    .addKeyValue("step", candidate.step())
                    .addKeyValue("directory", candidate.directory())
                    .addKeyValue("reason", opening.reason)
                    .log("checkpoint skipped");
        }
        return Optional.empty();
    }

    /**
     * The checkpoint of exactly this step.
     *
     * @throws CheckpointException with the reason when it is not there or not whole
     */
    public LoadedCheckpoint open(JobId job, String attempt, long step) {
        var reasons = new ArrayList<String>();
        for (Candidate candidate : candidates(job, attempt)) {
            if (candidate.step() == step) {
                Opening opening = open(candidate, job, attempt);
                if (opening.loaded != null) {
                    return opening.loaded;
                }
                reasons.add(candidate.directory().getFileName() + ": " + opening.reason);
            }
        }
        List<Long> complete = candidates(job, attempt).stream()
                .filter(Candidate::isComplete)
                .map(Candidate::step)
                .distinct()
                .toList();
        throw new CheckpointException(
                "checkpoint cannot be restored: job=" + job + " attempt=" + attempt + " step=" + step
                        + " reason=" + (reasons.isEmpty() ? "there is none of this step" : String.join(" | ", reasons))
                        + "; complete steps are " + complete);
    }

    private record Opening(@Nullable LoadedCheckpoint loaded, String reason) {}

    /** Looks again when a save has replaced the directory meanwhile: the old one was whole, and so is the new one. */
    private Opening open(Candidate candidate, JobId job, String attempt) {
        Candidate seen = candidate;
        Opening opening = openAsItIs(seen);
        for (int look = 1; look < LOOKS_MAX && opening.loaded == null; look++) {
            var now = new Candidate(
                    seen.directory(), seen.step(), inspection.look(seen.directory(), job, attempt, seen.step()));
            if (now.equals(seen)) {
                break;
            }
            seen = now;
            opening = openAsItIs(seen);
        }
        return opening;
    }

    private Opening openAsItIs(Candidate candidate) {
        if (candidate.verdict() instanceof Skipped skipped) {
            return new Opening(null, skipped.reason());
        }
        Manifest manifest = ((Complete) candidate.verdict()).manifest();
        // Every rank checks every file, not only those that it needs: all ranks must come to the same verdict.
        Optional<String> damage = inspection.damage(candidate.directory(), manifest);
        if (damage.isPresent()) {
            return new Opening(null, damage.get());
        }
        try {
            CheckpointState state = inspection.readState(candidate.directory(), manifest);
            return new Opening(new LoadedCheckpoint(files, candidate.directory(), manifest, state), "");
        } catch (IOException e) {
            return new Opening(null, "state.json cannot be used: " + Inspection.describe(e));
        }
    }

    /**
     * Deletes old checkpoints: of the complete ones all but the newest {@code keep}, and published ones that are not whole
     * and older than those kept. The newest complete one always stays.
     *
     * @return checkpoints deleted
     */
    public int prune(JobId job, String attempt, int keep) {
        if (keep < 1) {
            throw new IllegalArgumentException("keep must be >= 1: keep=" + keep);
        }
        int complete = 0;
        int deleted = 0;
        for (Candidate candidate : candidates(job, attempt)) {
            if (complete >= keep && !CheckpointPaths.isUnfinished(name(candidate.directory()))) {
                deleteCheckpoint(candidate.directory());
                deleted++;
            } else if (candidate.isComplete()) {
                complete++;
            }
        }
        return deleted;
    }

    /**
     * After a publication: deletes what it replaced, unfinished saves that can no longer finish, and half-done deletions.
     * Failure is logged only, the checkpoint is in place.
     */
    void sweep(Path attemptDirectory, Generation generation, long step) {
        for (String name : list(attemptDirectory)) {
            if (name.startsWith(CheckpointPaths.TRASH_PREFIX)) { // first: its name may be needed for what follows
                deleteQuietly(attemptDirectory.resolve(name));
            }
        }
        for (String name : list(attemptDirectory)) {
            boolean replaced = CheckpointPaths.isReplaced(name)
                    && CheckpointPaths.stepOf(name).orElse(-1) == step;
            boolean obsolete = CheckpointPaths.isUnfinished(name)
                    && (generation.isAfter(CheckpointPaths.generationOfUnfinished(name))
                            || (generation.equals(CheckpointPaths.generationOfUnfinished(name))
                                    && CheckpointPaths.stepOf(name).orElse(Long.MAX_VALUE) < step));
            if (replaced || obsolete) {
                deleteQuietly(attemptDirectory.resolve(name));
            }
        }
    }

    private void deleteQuietly(Path directory) {
        try {
            deleteCheckpoint(directory);
        } catch (CheckpointException e) {
            LOG.atWarn().addKeyValue("directory", directory).setCause(e).log("obsolete checkpoint files not deleted");
        }
    }

    /** Renamed first: a deletion that is cut short must not leave something that looks like a checkpoint. */
    private void deleteCheckpoint(Path directory) {
        try {
            Path trash = directory;
            if (!name(directory).startsWith(CheckpointPaths.TRASH_PREFIX)) {
                trash = directory.resolveSibling(CheckpointPaths.TRASH_PREFIX + name(directory));
                if (files.exists(trash)) {
                    deleteFlat(trash);
                }
                files.rename(directory, trash);
            }
            deleteFlat(trash);
        } catch (IOException e) {
            throw new CheckpointException(
                    "checkpoint could not be deleted: directory=" + directory + " cause=" + Inspection.describe(e), e);
        }
    }

    private void deleteFlat(Path directory) throws IOException {
        for (String file : files.list(directory)) {
            files.delete(directory.resolve(file));
        }
        files.delete(directory);
    }

    private List<String> list(Path directory) {
        try {
            return files.list(directory);
        } catch (IOException e) {
            throw new CheckpointException(
                    "checkpoint directory must be readable: directory=" + directory + " cause="
                            + Inspection.describe(e),
                    e);
        }
    }

    private static String name(Path directory) {
        return directory.getFileName().toString();
    }

    Path directory(JobId job, String attempt) {
        return CheckpointPaths.attempt(root, job, attempt);
    }

    /** The attempt's directory, the job's and the root: each holds the name of the one before. */
    List<Path> directoriesTo(Path attemptDirectory) {
        return List.of(
                attemptDirectory, root.resolve(root.relativize(attemptDirectory).getName(0)), root);
    }
}
