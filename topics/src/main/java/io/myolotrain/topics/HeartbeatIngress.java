package io.myolotrain.topics;

import io.myolotrain.core.coordination.Heartbeat;

/** A sign of life; the sequencer consumes it. */
public record HeartbeatIngress(Header header, Heartbeat heartbeat) implements Ingress {
    public HeartbeatIngress {
        if (!heartbeat.pool().equals(header.pool())) {
            throw new IllegalArgumentException("a heartbeat's pool must be its header's: heartbeat=" + heartbeat.pool()
                    + " header=" + header.pool());
        }
    }
}
