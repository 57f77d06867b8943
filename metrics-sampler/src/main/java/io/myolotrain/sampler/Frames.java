package io.myolotrain.sampler;

import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.SamplingPolicy;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which frames pass: by the policy of their name, and no more bytes than pages and disks can take. Used by one thread. */
final class Frames {
    /** Between two flushes; with one each 100 ms, 40 MiB/s. */
    static final long BYTES_PER_FLUSH_MAX = 4L << 20;
    /** A record of the topic must not be larger than 1 MiB with its head. */
    static final int FRAME_BYTES_MAX = 1_000_000;
    /** Names and ranks come from outside; of one that is forgotten a frame more is kept. */
    static final int REMEMBERED_MAX = 8_192;

    private final Map<Key, Long> lastAtMs = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Long> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };
    private long bytes;

    private record Key(Line line, String name, int rank) {}

    /** Whether the policy keeps this frame; if so it is the latest one kept. */
    boolean keeps(MetricFrame frame, SamplingPolicy policy) {
        var key = new Key(
                frame.origin().line(), frame.frame().name(), frame.origin().rank());
        long atMs = frame.origin().atMs();
        if (!policy.keepsFrame(frame.origin().step(), atMs, lastAtMs.getOrDefault(key, Long.MIN_VALUE))) {
            return false;
        }
        if (policy instanceof SamplingPolicy.ByTime) {
            lastAtMs.put(key, atMs);
        }
        return true;
    }

    /** Whether an encoded frame of this size still fits. */
    boolean fits(int frameBytes) {
        if (frameBytes > FRAME_BYTES_MAX || bytes + frameBytes > BYTES_PER_FLUSH_MAX) {
            return false;
        }
        bytes += frameBytes;
        return true;
    }

    void flushed() {
        bytes = 0;
    }
}
