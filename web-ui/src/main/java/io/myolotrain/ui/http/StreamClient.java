package io.myolotrain.ui.http;

import io.myolotrain.ui.live.SeriesKey;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One open page: how far it is, and which series it watches. */
final class StreamClient {
    static final long STALL_MAX_MS = 30_000; // a page that takes nothing for so long is dropped
    private static final int WRITE_BYTES_MAX = 64 << 10;

    private final StreamHub hub;
    private final HttpServerResponse response;
    private final String job;
    private final Set<String> names;
    private final LongSupplier clockMs;
    private long sent;
    private long stalledSinceMs = -1;
    private boolean closed;

    StreamClient(
            StreamHub hub,
            HttpServerResponse response,
            String job,
            Set<String> names,
            long after,
            LongSupplier clockMs) {
        this.hub = hub;
        this.response = response;
        this.job = job;
        this.names = names;
        this.sent = after;
        this.clockMs = clockMs;
        response.drainHandler(drained -> pump());
    }

    /** Writes what is new, until the socket is full; the drain handler goes on. */
    void pump() {
        while (!closed && sent < hub.newest()) {
            if (response.writeQueueFull()) {
                if (stalledSinceMs < 0) {
                    stalledSinceMs = clockMs.getAsLong();
                }
                return;
            }
            stalledSinceMs = -1;
            Buffer batch = Buffer.buffer();
            while (sent < hub.newest() && batch.length() < WRITE_BYTES_MAX) {
                StreamHub.Frame frame = hub.frame(sent + 1);
                if (frame == null) {
                    dropSlow();
                    return;
                }
                sent = frame.sequence();
                if (wants(frame.series())) {
                    batch.appendBuffer(frame.bytes());
                }
            }
            if (batch.length() > 0) {
                response.write(batch);
            }
        }
    }

    /** A comment keeps proxies from closing the line; the id moves a resume past frames that this page did not want. */
    void heartbeat() {
        if (response.writeQueueFull()) {
            if (stalledSinceMs >= 0 && clockMs.getAsLong() - stalledSinceMs > STALL_MAX_MS) {
                dropSlow();
            }
            return;
        }
        response.write(": beat\nid: " + hub.id(sent) + "\n\n");
    }

    void close() {
        closed = true;
        hub.remove(this);
        if (!response.ended()) {
            response.end();
        }
    }

    private void dropSlow() {
        closed = true;
        hub.remove(this);
        hub.countSlow();
        response.reset();
    }

    private boolean wants(@Nullable SeriesKey series) {
        return series == null || (series.job().equals(job) && names.contains(series.name()));
    }
}
