package io.myolotrain.worker.checkpoint;

import io.myolotrain.core.model.JobId;
import io.myolotrain.worker.checkpoint.Candidate.Complete;
import io.myolotrain.worker.checkpoint.Candidate.Skipped;
import io.myolotrain.worker.checkpoint.Candidate.Verdict;
import io.myolotrain.worker.checkpoint.Manifest.FileEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Judges checkpoint directories. Everything on disk is untrusted. */
final class Inspection {
    static final int MANIFEST_BYTES_MAX = 16 << 20;
    static final int STATE_BYTES_MAX = 1 << 20;

    private final FileLayer files;
    private final DurableFiles durable;

    Inspection(FileLayer files) {
        this.files = files;
        this.durable = new DurableFiles(files);
    }

    /** By manifest, names and sizes: cheap enough for every directory. */
    Verdict look(Path directory, JobId job, String attempt, long step) {
        String name = directory.getFileName().toString();
        try {
            if (CheckpointPaths.isUnfinished(name)) {
                return new Skipped("the save did not finish, it was never published: " + contents(directory));
            }
            if (!files.exists(directory.resolve(CheckpointPaths.MANIFEST))) {
                return new Skipped("manifest.json is missing: " + contents(directory));
            }
            Manifest manifest = readManifest(directory);
            if (!manifest.job().equals(job) || !manifest.attempt().equals(attempt) || manifest.step() != step) {
                return new Skipped("manifest.json must name this directory's checkpoint: manifest job=" + manifest.job()
                        + " attempt=" + manifest.attempt() + " step=" + manifest.step());
            }
            List<String> problems = problems(directory, manifest);
            return problems.isEmpty() ? new Complete(manifest) : new Skipped(String.join("; ", problems));
        } catch (IOException e) {
            return new Skipped("cannot be read: " + describe(e));
        }
    }

    private List<String> problems(Path directory, Manifest manifest) throws IOException {
        var problems = new ArrayList<String>();
        Set<String> listed =
                manifest.files().stream().map(FileEntry::name).collect(Collectors.toCollection(TreeSet::new));
        for (String required : List.of(CheckpointPaths.MODEL, CheckpointPaths.STATE)) {
            if (!listed.contains(required)) {
                problems.add("manifest.json lists no " + required);
            }
        }
        for (FileEntry file : manifest.files()) {
            if (!files.exists(directory.resolve(file.name()))) {
                problems.add(file.name() + " is missing");
                continue;
            }
            long bytes = durable.size(directory.resolve(file.name()));
            if (bytes != file.bytes()) {
                problems.add(file.name() + " must have " + file.bytes() + " bytes, has " + bytes);
            }
        }
        return problems;
    }

    /** By checksum of every file: finds what {@link #look} cannot. Reads all of the checkpoint. */
    Optional<String> damage(Path directory, Manifest manifest) {
        for (FileEntry file : manifest.files()) {
            try {
                String actual = durable.sha256(directory.resolve(file.name()));
                if (!actual.equals(file.sha256())) {
                    return Optional.of(
                            file.name() + " is damaged: its SHA-256 must be " + file.sha256() + ", is " + actual);
                }
            } catch (IOException e) {
                return Optional.of(file.name() + " cannot be read: " + describe(e));
            }
        }
        try {
            readState(directory, manifest);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("state.json cannot be used: " + describe(e));
        }
    }

    Manifest readManifest(Path directory) throws IOException {
        try {
            return CheckpointJson.readManifest(
                    durable.readSmall(directory.resolve(CheckpointPaths.MANIFEST), MANIFEST_BYTES_MAX));
        } catch (IOException e) {
            throw new IOException("manifest.json: " + describe(e), e);
        }
    }

    CheckpointState readState(Path directory, Manifest manifest) throws IOException {
        CheckpointState state =
                CheckpointJson.readState(durable.readSmall(directory.resolve(CheckpointPaths.STATE), STATE_BYTES_MAX));
        if (state.step() != manifest.step() || !state.job().equals(manifest.job())) {
            throw new IOException("state and manifest must name one checkpoint: state job=" + state.job() + " step="
                    + state.step() + " manifest job=" + manifest.job() + " step=" + manifest.step());
        }
        return state;
    }

    private String contents(Path directory) throws IOException {
        List<String> present = files.list(directory);
        var missing = new ArrayList<>(List.of(CheckpointPaths.MODEL, CheckpointPaths.STATE, CheckpointPaths.MANIFEST));
        missing.removeAll(present);
        return "present=" + present + " missing=" + missing;
    }

    static String describe(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : e.getClass().getSimpleName() + ": " + message;
    }
}
