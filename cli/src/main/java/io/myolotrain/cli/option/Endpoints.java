package io.myolotrain.cli.option;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * Where a running demo or broker listens, as it wrote it for other terminals.
 *
 * @param ui empty when no web UI runs
 * @param pid process that wrote the file; the file of a dead process counts as none
 */
public record Endpoints(String bootstrap, String registry, String ui, String pool, long pid) {
    private static final String FILE = "endpoints.json";
    private static final ObjectMapper JSON = new ObjectMapper();

    public static Path file(Path state) {
        return state.resolve(FILE);
    }

    public static Optional<Endpoints> read(Path state) throws IOException {
        try {
            Endpoints found = JSON.readValue(Files.readAllBytes(file(state)), Endpoints.class);
            return ProcessHandle.of(found.pid).map(ProcessHandle::isAlive).orElse(false)
                    ? Optional.of(found)
                    : Optional.empty();
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (JsonProcessingException e) {
            throw new IOException("not an endpoints file: " + file(state) + ". Remove it and start the demo again.", e);
        }
    }

    /** Readers see the old file or the new one, never half of it. */
    public void write(Path state) throws IOException {
        Files.createDirectories(state);
        Path temporary = Files.createTempFile(state, FILE, ".tmp");
        Files.write(temporary, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(this));
        Files.move(temporary, file(state), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    public static void remove(Path state) throws IOException {
        Files.deleteIfExists(file(state));
    }
}
