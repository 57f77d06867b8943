package io.myolotrain.worker.readings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.core.sampling.Scalars.Scalar;
import io.myolotrain.worker.readings.NvidiaSmi.Visible;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvidiaSmiTest {
    private static final String FIRST = "0, GPU-8932f937-d72c-4106-c12f-20bd9faed9f6, 37, 12, 1024, 81559, 41, 118.52";
    private static final String SECOND = "1, GPU-0a1b2c3d-d72c-4106-c12f-20bd9faed9f6, [N/A], 0, 2, 81559, 39, [N/A]";

    @Test
    void aLineTellsWhatTheGpuDoesInBaseUnits() {
        assertThat(NvidiaSmi.of(FIRST).orElseThrow().values())
                .containsExactly(
                        new Scalar("gpu.utilization_percent", 37),
                        new Scalar("gpu.memory_busy_percent", 12),
                        new Scalar("gpu.memory_used_bytes", 1_073_741_824.0),
                        new Scalar("gpu.memory_total_bytes", 81_559.0 * 1_048_576),
                        new Scalar("gpu.temperature_celsius", 41),
                        new Scalar("gpu.power_watts", 118.52));
    }

    @Test
    void whatAGpuDoesNotTellIsMissingAndNotZero() {
        assertThat(NvidiaSmi.of(SECOND).orElseThrow().values())
                .extracting(Scalar::name)
                .doesNotContain("gpu.utilization_percent", "gpu.power_watts")
                .contains("gpu.temperature_celsius");
    }

    @Test
    void whatIsNotALineOfAGpuIsNone() {
        assertThat(NvidiaSmi.of("No devices were found")).isEmpty();
        assertThat(NvidiaSmi.of("")).isEmpty();
        assertThat(NvidiaSmi.of("-1, GPU-1, 1, 1, 1, 1, 1, 1")).isEmpty();
        assertThat(NvidiaSmi.of("one, GPU-1, 1, 1, 1, 1, 1, 1")).isEmpty();
    }

    @Test
    void theGpusThatCudaShowsThisProcessAreReported() {
        var first = NvidiaSmi.of(FIRST).orElseThrow();
        var second = NvidiaSmi.of(SECOND).orElseThrow();

        assertThat(List.of(first, second)).allMatch(Visible.of(Optional.empty())::has);
        assertThat(List.of(first, second))
                .filteredOn(Visible.of(Optional.of("1"))::has)
                .containsExactly(second);
        assertThat(List.of(first, second))
                .filteredOn(Visible.of(Optional.of("GPU-8932"))::has)
                .containsExactly(first);
        assertThat(Visible.of(Optional.of("")).none()).isTrue();
        assertThat(Visible.of(Optional.of("-1")).none()).isTrue();
        assertThat(Visible.of(Optional.of("0, 1")).none()).isFalse();
    }

    @Test
    void aRunningChildIsReadAndEndsWithItsReader(@TempDir Path folder) throws Exception {
        Path pid = folder.resolve("pid");
        Path command = Files.writeString(
                folder.resolve("driver"),
                "echo $$ > '" + pid + "'; while echo '" + FIRST + "'; echo '" + SECOND + "'; do sleep 0.1; done");

        try (NvidiaSmi driver = NvidiaSmi.start(List.of("sh", command.toString()), Visible.of(Optional.of("0")))
                .orElseThrow()) {
            await().until(() -> !driver.take(3).isEmpty());
            assertThat(driver.take(3))
                    .contains(new Scalar("gpu.temperature_celsius.gpu0.rank3", 41))
                    .noneMatch(value -> value.name().contains("gpu1"));
        }

        long child = Long.parseLong(Files.readString(pid).strip());
        await().until(() ->
                ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void aMachineWithoutADriverHasNoReadings() {
        assertThat(NvidiaSmi.start(List.of("no-such-driver-command"), Visible.of(Optional.empty())))
                .isEmpty();
    }
}
