package io.myolotrain.cli.demo;

import io.myolotrain.cli.embedded.DirectoryLock;
import io.myolotrain.cli.option.StateOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Forgets what earlier demos left. Only the directories that the demo itself makes are touched, and only when nobody uses them. */
final class FreshStart {
    private FreshStart() {}

    static void forget(StateOption state) throws IOException {
        try (DirectoryLock lock = DirectoryLock.take(state.kafka())) {
            for (Path directory : List.of(state.jobs(), state.streams(), state.ui(), state.logs())) {
                delete(directory);
            }
            try (Stream<Path> entries = Files.list(state.kafka())) {
                for (Path entry : entries.filter(e -> !lock.isFileOf(e)).toList()) {
                    delete(entry);
                }
            }
        }
    }

    private static void delete(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(root)) { // does not follow links
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
