package io.myolotrain.worker.readings;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.sampling.Scalars.Scalar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineReadingsTest {

    @Test
    void residentMemoryIsReadFromTheProcessStatus() {
        assertThat(MachineReadings.residentBytes(List.of("Name:\tjava", "VmRSS:\t  265120 kB", "RssAnon:\t 1 kB")))
                .hasValue(265_120L * 1_024);
        assertThat(MachineReadings.residentBytes(List.of("Name:\tjava"))).isEmpty();
    }

    @Test
    void networkCountersAreSummedOverInterfacesWithoutLoopback() {
        List<String> lines = List.of(
                "Inter-|   Receive                                                |  Transmit",
                " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets",
                "    lo: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0",
                "  eth0: 100 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0",
                "  eth1:5 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0");

        assertThat(MachineReadings.network(lines)).contains(new MachineReadings.Network(105, 27));
        assertThat(MachineReadings.network(lines.subList(0, 3))).isEmpty();
    }

    @Test
    void theHottestSensorOfTheHostCounts(@TempDir Path zones) throws IOException {
        assertThat(MachineReadings.hottestCelsius(zones)).isEmpty();

        zone(zones, "thermal_zone0", "41000\n");
        zone(zones, "thermal_zone1", "52500\n");
        zone(zones, "thermal_zone2", "N/A\n");
        zone(zones, "cooling_device0", "99000\n");
        Files.createDirectory(zones.resolve("thermal_zone3"));

        assertThat(MachineReadings.hottestCelsius(zones)).hasValue(52.5);
        assertThat(MachineReadings.hottestCelsius(zones.resolve("absent"))).isEmpty();
    }

    private static void zone(Path zones, String name, String temperature) throws IOException {
        Files.writeString(Files.createDirectory(zones.resolve(name)).resolve("temp"), temperature);
    }

    @Test
    void thisProcessHasMemoryAtOnceAndRatesFromTheSecondReadingOn() {
        try (var machine = new MachineReadings()) {
            assertThat(machine.take(3)).extracting(Scalar::name).contains("worker.rss_bytes.rank3");
            assertThat(machine.take(3)).extracting(Scalar::name).contains("worker.cpu_percent.rank3");
        }
    }
}
