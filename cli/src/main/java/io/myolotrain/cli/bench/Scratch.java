package io.myolotrain.cli.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory for one measurement, gone afterwards unless it is to be kept. */
final class Scratch implements AutoCloseable {
    private final Path directory;
    private volatile boolean keep;

    private Scratch(Path directory) {
        this.directory = directory;
    }

    static Scratch create() throws IOException {
        return new Scratch(Files.createTempDirectory("myolotrain-bench-"));
    }

    Path directory() {
        return directory;
    }

    void keep() {
        keep = true;
    }

    @Override
    public void close() {
        if (keep) {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the benchmark's directory could not be deleted: " + directory, e);
        }
    }
}
