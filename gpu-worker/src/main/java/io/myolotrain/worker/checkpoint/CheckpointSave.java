package io.myolotrain.worker.checkpoint;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.worker.checkpoint.Manifest.FileEntry;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * One checkpoint on its way to disk. Every rank begins the same save and writes its part; rank 0 gathers the parts' words
 * and publishes. Until then nothing that a reader looks at changes.
 *
 * <pre>
 *  ranks:  .tmp-step-N-gG/ ← model, moments-r      rank 0:  ← state, config, manifest (tmp, fsync, rename)
 *  rank 0: step-N → .replaced-step-N-k             (only when the step was published before)
 *          .tmp-step-N-gG → step-N                 the new one exists from here on
 *          delete .replaced-step-N-*
 * </pre>
 *
 * A crash between the two renames leaves the old one under its .replaced name, which readers accept.
 */
public final class CheckpointSave {
    private static final String HF_CONFIG = "config.json";
    private static final int REPLACED_MAX = 1_000;

    private final CheckpointStore store;
    private final FileLayer files;
    private final DurableFiles durable;
    private final Inspection inspection;
    private final JobId job;
    private final String attempt;
    private final Generation generation;
    private final long step;
    private final Path attemptDirectory;
    private final Path unfinished;

    CheckpointSave(
            CheckpointStore store, FileLayer files, JobId job, String attempt, Generation generation, long step) {
        this.store = store;
        this.files = files;
        this.durable = new DurableFiles(files);
        this.inspection = new Inspection(files);
        this.job = job;
        this.attempt = attempt;
        this.generation = generation;
        this.step = step;
        this.attemptDirectory = store.directory(job, attempt);
        this.unfinished = attemptDirectory.resolve(CheckpointPaths.unfinished(step, generation));
    }

    /** What was published: its directory and the bytes of its files. */
    public record Published(Path directory, long bytes) {}

    /** Rank 0: weights as whole GPT-2 tensors. */
    public Part writeModel(ParameterLayout layout, FloatBuffer parameters) {
        List<SafeTensorsWriter.Tensor> tensors = StitchedTensor.of(layout).stream()
                .map(tensor -> tensor.tensor(parameters))
                .toList();
        return writePart(Part.MODEL, tensors);
    }

    /**
     * Each rank: moments of the shards whose primary owner it is.
     *
     * @param part the rank
     * @param momentsByShard per shard {@code 2 × length} floats: first moments, then second; may be empty
     */
    public Part writeMoments(int part, ParameterLayout layout, SortedMap<Integer, FloatBuffer> momentsByShard) {
        return writePart(part, MomentTensors.of(layout, momentsByShard));
    }

    private Part writePart(int number, List<SafeTensorsWriter.Tensor> tensors) {
        String name = number == Part.MODEL ? CheckpointPaths.MODEL : CheckpointPaths.moments(number);
        Map<String, String> metadata = Map.of("format", "pt", "job", job.value(), "step", Long.toString(step));
        try {
            files.createDirectories(unfinished);
            DurableFiles.Written written =
                    durable.write(unfinished.resolve(name), sink -> SafeTensorsWriter.write(sink, metadata, tensors));
            return new Part(number, written.bytes(), written.sha256());
        } catch (IOException e) {
            throw failed("write " + name, e);
        }
    }

    /**
     * Rank 0, when every rank's part is on disk: completes the checkpoint and puts it in place of an older one of this step.
     *
     * @param shards number of the layout's shards; the moments files must hold each exactly once
     */
    public Published publish(CheckpointState state, int shards, List<Part> parts) {
        if (state.step() != step
                || !state.job().equals(job)
                || !state.generation().equals(generation)) {
            throw new IllegalArgumentException("state must be of this save: state step=" + state.step() + " generation="
                    + state.generation() + " save step=" + step + " generation=" + generation);
        }
        try {
            checkParts(parts, shards);
            var entries = new ArrayList<FileEntry>();
            parts.forEach(part -> entries.add(new FileEntry(part.fileName(), part.bytes(), part.sha256())));
            entries.add(write(CheckpointPaths.STATE, CheckpointJson.write(state)));
            if (state.model().family() == ModelShape.Family.GPT) {
                entries.add(write(HF_CONFIG, CheckpointJson.gpt2Config(state.model())));
            }
            entries.sort(Comparator.comparing(FileEntry::name));
            var manifest = new Manifest(job, attempt, step, generation, state.parent(), shards, entries);
            writeManifest(manifest);
            Path directory = putInPlace();
            store.sweep(attemptDirectory, generation, step);
            return new Published(directory, manifest.bytes());
        } catch (IOException e) {
            throw failed("publish", e);
        }
    }

    /** The writers say what they wrote; here is whether this host sees the same. */
    private void checkParts(List<Part> parts, int shards) throws IOException {
        var held = new TreeSet<Integer>();
        for (Part part : parts) {
            Path file = unfinished.resolve(part.fileName());
            if (!files.exists(file) || durable.size(file) != part.bytes()) {
                throw new CheckpointException("every rank's part must be visible to rank 0: missing or short file="
                        + file + "; the checkpoint directory must be one that all workers share");
            }
            try (var reader = SafeTensorsReader.open(files.open(file))) {
                if (part.number() == Part.MODEL) {
                    continue;
                }
                for (int shard : MomentTensors.shards(reader)) {
                    if (!held.add(shard)) {
                        throw new CheckpointException(
                                "a shard must be in one moments file: shard=" + shard + " file=" + file);
                    }
                }
            }
        }
        boolean all = held.size() == shards && (shards == 0 || (held.first() == 0 && held.last() == shards - 1));
        if (!all || parts.stream().noneMatch(part -> part.number() == Part.MODEL)) {
            throw new CheckpointException(
                    "a checkpoint holds the model and every shard's moments: shards=" + shards + " held=" + held.size()
                            + " parts=" + parts.stream().map(Part::fileName).toList());
        }
    }

    private FileEntry write(String name, byte[] content) throws IOException {
        DurableFiles.Written written = durable.write(unfinished.resolve(name), content);
        return new FileEntry(name, written.bytes(), written.sha256());
    }

    private void writeManifest(Manifest manifest) throws IOException {
        files.sync(unfinished); // every name that the manifest lists is durable before the manifest is
        Path tmp = unfinished.resolve(CheckpointPaths.MANIFEST_TMP);
        durable.write(tmp, CheckpointJson.write(manifest));
        files.rename(tmp, unfinished.resolve(CheckpointPaths.MANIFEST));
        files.sync(unfinished);
    }

    private Path putInPlace() throws IOException {
        Path target = attemptDirectory.resolve(CheckpointPaths.published(step));
        if (files.exists(target)) {
            refuseToReplaceNewer(target);
            files.rename(target, freeReplacedName());
        }
        files.rename(unfinished, target);
        for (Path directory : store.directoriesTo(attemptDirectory)) {
            files.sync(directory);
        }
        return target;
    }

    /** A rank 0 of a past generation that wakes up late must not undo what the present one wrote. */
    private void refuseToReplaceNewer(Path target) {
        Candidate.Verdict verdict = inspection.look(target, job, attempt, step);
        if (verdict instanceof Candidate.Complete present
                && present.manifest().generation().isAfter(generation)) {
            throw new CheckpointException(
                    "a checkpoint is replaced only by one of the same or a later generation: directory=" + target
                            + " present=" + present.manifest().generation() + " this=" + generation);
        }
    }

    private Path freeReplacedName() {
        for (int number = 1; number <= REPLACED_MAX; number++) {
            Path name = attemptDirectory.resolve(CheckpointPaths.replaced(step, number));
            if (!files.exists(name)) {
                return name;
            }
        }
        throw new CheckpointException(
                "at most " + REPLACED_MAX + " replaced checkpoints of one step can wait for deletion: " + "directory="
                        + attemptDirectory + " step=" + step + "; check that files there can be deleted");
    }

    private CheckpointException failed(String what, IOException e) {
        return new CheckpointException(
                "checkpoint could not be saved, the one before stays in force: step=" + step + " while=" + what
                        + " directory=" + unfinished + " cause=" + Inspection.describe(e),
                e);
    }
}
