package io.myolotrain.worker.comm;

import java.time.Duration;
import org.bytedeco.pytorch.ProcessGroupGloo;

/** One Gloo process group and how it ends. */
public final class GlooGroup implements AutoCloseable {
    /** A bound for what is left behind by an abort: the communicator itself looks at its own deadline. */
    static final Duration OPERATION_TIMEOUT = Duration.ofMinutes(5);

    private static final Duration LINGER = Duration.ofSeconds(1);

    private final ProcessGroupGloo group;
    private boolean closed;

    GlooGroup(ProcessGroupGloo group) {
        this.group = group;
    }

    public ProcessGroupGloo group() {
        return group;
    }

    /**
     * Closes the connections, which wakes peers that wait for this rank. In the background, because a group with a blocked
     * operation closes only when that has failed or timed out.
     */
    @Override
    public void close() {
        closeAfter(Duration.ZERO);
    }

    /** For a rank that has nothing more to do: its peers may still be receiving what it sent last. */
    void closeGently() {
        closeAfter(LINGER);
    }

    private synchronized void closeAfter(Duration linger) {
        if (closed) {
            return;
        }
        closed = true;
        var closer = new Thread(
                () -> {
                    try {
                        Thread.sleep(linger.toMillis());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt(); // nobody does; then it closes at once
                    }
                    group.close();
                },
                "gloo-close");
        closer.setDaemon(true);
        closer.start();
    }
}
