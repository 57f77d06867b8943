package io.myolotrain.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesIT {
    @Test
    void severalProcessesLoadFromAColdCacheAtOnce(@TempDir Path directory) throws Exception {
        Path cache = Files.createDirectory(directory.resolve("cache"));
        var processes = new ArrayList<Process>();
        try {
            for (int i = 0; i < 3; i++) {
                processes.add(start(cache, directory.resolve("out-" + i)));
            }
            for (int i = 0; i < processes.size(); i++) {
                assertThat(processes.get(i).waitFor(5, TimeUnit.MINUTES)).isTrue();
                String out = Files.readString(directory.resolve("out-" + i));
                assertThat(processes.get(i).exitValue()).as(out).isZero();
                assertThat(out).contains("loss 3.");
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static Process start(Path cache, Path out) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LaunchFlags.jvmFlags());
        command.add("-Dorg.bytedeco.javacpp.cachedir=" + cache);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), OneStep.class.getName()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().putAll(LaunchFlags.environment());
        return builder.start();
    }

    /** Loads, computes one gradient, prints the loss. */
    static final class OneStep {
        public static void main(String[] args) {
            var shape = Fixtures.tiny(io.myolotrain.core.model.ModelShape.Family.GPT, 1, 1, 0);
            var batch = Fixtures.Batch.of(shape, 2, 1);
            try (var trainer = new LibTorchTrainer(shape, 1)) {
                trainer.initialise();
                float loss = trainer.gradient(
                        1,
                        0,
                        batch.tokens(),
                        batch.targets(),
                        Fixtures.direct(trainer.layout().size()));
                System.out.println(NativeLibraries.kernel() + " loss " + loss);
            }
        }
    }
}
