package io.myolotrain.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointsTest {
    @TempDir
    Path state;

    private static Endpoints endpoints(long pid) {
        return new Endpoints("127.0.0.1:9092", "http://127.0.0.1:8081", "http://127.0.0.1:8088", "default", pid);
    }

    @Test
    void whatALivingProcessWroteIsFound() throws IOException {
        var written = endpoints(ProcessHandle.current().pid());
        written.write(state);
        assertThat(Endpoints.read(state)).contains(written);
    }

    @Test
    void theFileOfADeadProcessCountsAsNone() throws IOException, InterruptedException {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        endpoints(ended.pid()).write(state);
        assertThat(Endpoints.read(state)).isEmpty();
    }

    @Test
    void withoutAFileThereIsNone() throws IOException {
        assertThat(Endpoints.read(state)).isEmpty();
    }

    @Test
    void aBrokenFileIsSaidToBeBroken() throws IOException {
        Files.writeString(Endpoints.file(state), "{nonsense");
        assertThatThrownBy(() -> Endpoints.read(state)).hasMessageContaining("not an endpoints file");
    }

    @Test
    void nothingElseIsLeftInTheDirectory() throws IOException {
        endpoints(1).write(state);
        assertThat(state).isDirectoryContaining("glob:**endpoints.json");
        Endpoints.remove(state);
        assertThat(state).isEmptyDirectory();
    }
}
