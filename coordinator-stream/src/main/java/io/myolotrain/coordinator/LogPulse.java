package io.myolotrain.coordinator;

import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

/**
 * Whether the broker still talks to us, read off the bytes that our consumers receive: a broker with nothing new answers
 * a fetch all the same, within {@code fetch.max.wait.ms}. Needs no connection of its own, so it sees what the consumers
 * see. A client lists its metrics by copying all of them, thousands, and each task asks at each of its ticks: they are
 * looked at {@value #LOOKS} times within the longest silence, and an answer is as old as that at most. Thread-safe.
 */
final class LogPulse implements BooleanSupplier {
    private static final int LOOKS = 20;

    private final long silenceMaxNanos;
    private final LongSupplier nanoTime;
    private volatile @Nullable Supplier<Map<MetricName, ? extends Metric>> metrics;
    private double lastBytes = -1;
    private long lastChangeNanos;
    private long lookedAtNanos;

    /** @param nanoTime as {@link System#nanoTime()} */
    LogPulse(Duration silenceMax, LongSupplier nanoTime) {
        this.silenceMaxNanos = silenceMax.toNanos();
        this.nanoTime = nanoTime;
        this.lastChangeNanos = nanoTime.getAsLong();
    }

    void watch(Supplier<Map<MetricName, ? extends Metric>> source) {
        metrics = source;
    }

    @Override
    public synchronized boolean getAsBoolean() {
        Supplier<Map<MetricName, ? extends Metric>> source = metrics;
        if (source == null) {
            return false;
        }
        long now = nanoTime.getAsLong();
        if (lastBytes < 0 || now - lookedAtNanos >= silenceMaxNanos / LOOKS) {
            lookedAtNanos = now;
            look(source.get(), now);
        }
        return now - lastChangeNanos < silenceMaxNanos;
    }

    private void look(Map<MetricName, ? extends Metric> all, long now) {
        double bytes = 0;
        for (Map.Entry<MetricName, ? extends Metric> metric : all.entrySet()) {
            MetricName name = metric.getKey();
            if (name.name().equals("incoming-byte-total")
                    && name.group().equals("consumer-metrics")
                    && metric.getValue().metricValue() instanceof Double received) {
                bytes += received;
            }
        }
        if (bytes != lastBytes) {
            lastBytes = bytes;
            lastChangeNanos = now;
        }
    }
}
