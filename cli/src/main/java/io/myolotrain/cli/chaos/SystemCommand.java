package io.myolotrain.cli.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Short commands that change this machine's network. */
public final class SystemCommand {
    private static final long TIMEOUT_S = 20;

    private SystemCommand() {}

    /**
     * @return what it said
     * @throws IOException when the tool is not there, does not end, or fails
     */
    public static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("a command must end: " + List.of(command));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.exitValue() != 0) {
            throw new IOException("a command failed: " + List.of(command) + ": " + said.strip());
        }
        return said;
    }

    public static boolean works(String... command) throws InterruptedException {
        try {
            run(command);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
