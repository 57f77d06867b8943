package io.myolotrain.worker.comm;

import java.time.Duration;
import org.bytedeco.pytorch.ProcessGroupGloo;

/** One Gloo process group and how it ends. */
public final class GlooGroup implements AutoCloseable {
    /** A bound for what is left behind by an abort: the communicator itself looks at its own deadline. */
    static final Duration OPERATION_TIMEOUT = Duration.ofMinutes(5);

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
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        var closer = new Thread(group::close, "gloo-close");
        closer.setDaemon(true);
        closer.start();
    }
}
