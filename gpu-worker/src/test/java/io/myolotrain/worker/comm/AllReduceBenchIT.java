package io.myolotrain.worker.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.worker.comm.bench.AllReduceBench;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AllReduceBenchIT {
    @Test
    void everyTransportAndSizeIsMeasuredAmongRealProcesses() throws Exception {
        Map<String, Double> figures =
                AllReduceBench.run(new AllReduceBench.Options(List.of(2, 4), 1, Duration.ofMinutes(5)));
        assertThat(figures.keySet())
                .contains(
                        "shm8KiBMicros",
                        "tcp8KiBMicros",
                        "gloo8KiBMicros",
                        "glooTree8KiBMicros",
                        "shm1MiBMicros",
                        "tcp1MiBMicros",
                        "gloo1MiBMicros",
                        "glooTree1MiBMicros",
                        "ratioGloo8KiB",
                        "ratioGloo1MiB",
                        "reductionVsTcpPercent8KiB",
                        "shm8KiBMicrosP4",
                        "ratioGloo1MiBP4");
        assertThat(figures)
                .allSatisfy((name, value) -> assertThat(value).as(name).isFinite());
        assertThat(figures.get("shm8KiBMicros")).isPositive();
    }

    @Test
    void worldSizesAreChecked() {
        assertThatThrownBy(() -> new AllReduceBench.Options(List.of(3), 1, Duration.ofMinutes(1)))
                .hasMessageContaining("powers of two");
    }
}
