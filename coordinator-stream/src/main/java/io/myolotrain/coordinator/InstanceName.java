package io.myolotrain.coordinator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The name by which the consumer group knows this coordinator, kept beside its stores: one that is started again after a
 * kill takes its own place at once, and need not wait until the group has given up its former self.
 */
final class InstanceName {
    private static final String FILE = "instance-name";
    private static final Pattern NAME = Pattern.compile("[0-9a-f-]{36}");

    private InstanceName() {}

    static String keptIn(Path directory) {
        try {
            Files.createDirectories(directory);
            Path file = directory.resolve(FILE);
            if (Files.isRegularFile(file)) {
                String kept = Files.readString(file).strip();
                if (NAME.matcher(kept).matches()) {
                    return kept;
                }
            }
            String fresh = UUID.randomUUID().toString();
            Path draft = Files.writeString(directory.resolve(FILE + ".new"), fresh);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return fresh;
        } catch (IOException e) {
            throw new UncheckedIOException("the state directory must be writable: directory=" + directory, e);
        }
    }
}
