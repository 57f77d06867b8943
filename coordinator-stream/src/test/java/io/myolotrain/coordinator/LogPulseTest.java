package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.Test;

class LogPulseTest {
    private static final MetricName RECEIVED = name("consumer-metrics", "incoming-byte-total");
    private final Map<MetricName, Metric> metrics = new HashMap<>();
    private long nanos;
    private final LogPulse pulse = new LogPulse(Duration.ofSeconds(2), () -> nanos);

    private static MetricName name(String group, String name) {
        return new MetricName(name, group, "", new TreeMap<>());
    }

    private void received(MetricName name, double value) {
        metrics.put(name, new Metric() {
            @Override
            public MetricName metricName() {
                return name;
            }

            @Override
            public Object metricValue() {
                return value;
            }
        });
    }

    private boolean after(long millis) {
        nanos += millis * 1_000_000;
        return pulse.getAsBoolean();
    }

    @Test
    void the_broker_is_reachable_while_bytes_come_in() {
        pulse.watch(() -> metrics);
        for (int i = 0; i < 10; i++) {
            received(RECEIVED, 100.0 * i);
            assertThat(after(500)).isTrue();
        }
        assertThat(after(1_900)).isTrue();
        assertThat(after(200)).isFalse();
        received(RECEIVED, 1_001);
        assertThat(after(200)).isTrue();
    }

    @Test
    void what_producers_receive_does_not_count() {
        pulse.watch(() -> metrics);
        received(RECEIVED, 1);
        assertThat(after(500)).isTrue();
        for (int i = 0; i < 10; i++) {
            received(name("producer-metrics", "incoming-byte-total"), i);
            after(500);
        }

        assertThat(pulse.getAsBoolean()).isFalse();
    }

    @Test
    void ticks_that_follow_closely_share_a_look_at_the_metrics() {
        var looks = new AtomicInteger();
        received(RECEIVED, 1);
        pulse.watch(() -> {
            looks.incrementAndGet();
            return metrics;
        });
        for (int i = 0; i < 1_000; i++) {
            after(1);
        }

        assertThat(looks).hasValueBetween(9, 11);
    }

    @Test
    void without_a_client_nothing_is_reachable() {
        assertThat(pulse.getAsBoolean()).isFalse();
    }
}
