package io.myolotrain.worker.checkpoint;

import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Shard;
import io.myolotrain.worker.checkpoint.Manifest.FileEntry;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * A complete checkpoint whose every checksum was right when it was opened. Moments are kept per shard, so a rank reads
 * what it owns now, whoever wrote it; the number of ranks then and now does not matter.
 */
public final class LoadedCheckpoint {
    private final FileLayer files;
    private final Path directory;
    private final Manifest manifest;
    private final CheckpointState state;

    LoadedCheckpoint(FileLayer files, Path directory, Manifest manifest, CheckpointState state) {
        this.files = files;
        this.directory = directory;
        this.manifest = manifest;
        this.state = state;
    }

    public Path directory() {
        return directory;
    }

    public CheckpointState state() {
        return state;
    }

    /** @param parameters receives {@code layout.size()} floats */
    public void readParameters(ParameterLayout layout, FloatBuffer parameters) {
        requireShape(layout);
        try (var reader = SafeTensorsReader.open(files.open(directory.resolve(CheckpointPaths.MODEL)))) {
            for (StitchedTensor tensor : StitchedTensor.of(layout)) {
                reader.read(tensor.name(), tensor.dims(), tensor.receiver(parameters));
            }
        } catch (IOException e) {
            throw failed(CheckpointPaths.MODEL, e);
        }
    }

    /** @param momentsByShard receives per shard {@code 2 × length} floats: first moments, then second */
    public void readMoments(ParameterLayout layout, SortedMap<Integer, FloatBuffer> momentsByShard) {
        requireShape(layout);
        var missing = new TreeSet<>(momentsByShard.keySet());
        for (FileEntry file : manifest.files()) {
            if (!CheckpointPaths.isMoments(file.name()) || missing.isEmpty()) {
                continue;
            }
            try (var reader = SafeTensorsReader.open(files.open(directory.resolve(file.name())))) {
                for (int index : MomentTensors.shards(reader)) {
                    FloatBuffer moments = momentsByShard.get(index);
                    if (moments != null) {
                        Shard shard = layout.shards().get(index);
                        MomentTensors.read(reader, shard, moments);
                        missing.remove(index);
                    }
                }
            } catch (IOException e) {
                throw failed(file.name(), e);
            }
        }
        if (!missing.isEmpty()) {
            throw new CheckpointException(
                    "every shard must be in a moments file: directory=" + directory + " missing shards=" + missing);
        }
    }

    private void requireShape(ParameterLayout layout) {
        if (!layout.shape().equals(state.model())) {
            throw new CheckpointException("a checkpoint is loaded into the model that wrote it: checkpoint="
                    + state.model() + " model=" + layout.shape());
        }
    }

    private CheckpointException failed(String file, IOException e) {
        return new CheckpointException(
                "checkpoint cannot be read: file=" + directory.resolve(file) + " cause=" + Inspection.describe(e), e);
    }

    /** Names of the files, for messages. */
    public List<String> fileNames() {
        return manifest.files().stream().map(FileEntry::name).toList();
    }
}
