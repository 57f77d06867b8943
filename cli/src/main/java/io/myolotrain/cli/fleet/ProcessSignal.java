package io.myolotrain.cli.fleet;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Signals that Java's own process API has no name for. Linux. */
public enum ProcessSignal {
    /** Freezes the process: it holds its sockets and memory and does nothing. */
    STOP,
    /** Ends a {@link #STOP}. */
    CONT,
    TERM,
    KILL;

    private static final long TIMEOUT_SECONDS = 10;

    /** @throws IOException when the process is not there, or not ours to signal */
    public void send(long pid) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + name(), Long.toString(pid))
                .redirectErrorStream(true)
                .start();
        try {
            if (!kill.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IOException("signal " + name() + " could not be sent: pid=" + pid);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while sending " + name() + ": pid=" + pid, e);
        }
    }
}
