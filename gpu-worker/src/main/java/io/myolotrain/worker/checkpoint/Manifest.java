package io.myolotrain.worker.checkpoint;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import java.util.List;
import java.util.Optional;

/**
 * The last file of a checkpoint: who it is, and every other file with size and checksum. A directory without it is not a
 * checkpoint.
 *
 * @param shards how many shards the moments files hold together
 */
public record Manifest(
        JobId job,
        String attempt,
        long step,
        Generation generation,
        Optional<String> parent,
        int shards,
        List<FileEntry> files) {
    static final int FORMAT = 1;

    public Manifest {
        files = List.copyOf(files);
    }

    /** @param sha256 lower-case hex */
    public record FileEntry(String name, long bytes, String sha256) {}

    public long bytes() {
        return files.stream().mapToLong(FileEntry::bytes).sum();
    }
}
