package io.myolotrain.worker.readings;

import io.myolotrain.core.sampling.Scalars.Scalar;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;

/** What this process, its host and its GPUs do. What the system does not tell is not reported. Used by one thread. */
final class MachineReadings implements AutoCloseable {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path NETWORK = Path.of("/proc/net/dev");
    private static final Path THERMAL_ZONES = Path.of("/sys/class/thermal");
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLI = 1e-3;

    private final com.sun.management.OperatingSystemMXBean system =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    private long lastNanos;
    private long lastProcessorNanos;
    private Optional<Network> lastNetwork = Optional.empty();
    /** None before the first reading: a worker that stands by has no child. */
    private Optional<NvidiaSmi> gpus = Optional.empty();

    /** Counters since boot over all interfaces but loopback. */
    record Network(long receivedBytes, long sentBytes) {}

    /** Rates are since the last call; the first one has none. */
    List<Scalar> take(int rank) {
        long now = System.nanoTime();
        long processor = system.getProcessCpuTime();
        Optional<Network> network = read(NETWORK).flatMap(MachineReadings::network);
        double seconds = (now - lastNanos) / NANOS_PER_SECOND;
        boolean first = lastNanos == 0;
        List<Scalar> values = new ArrayList<>();
        read(STATUS)
                .flatMap(lines -> residentBytes(lines).stream().boxed().findFirst())
                .ifPresent(bytes -> values.add(new Scalar(Names.ofRank("worker.rss_bytes", rank), (double) bytes)));
        if (!first) {
            double cores = (processor - lastProcessorNanos) / NANOS_PER_SECOND / seconds;
            values.add(new Scalar(Names.ofRank("worker.cpu_percent", rank), 100 * cores));
        }
        if (!first && network.isPresent() && lastNetwork.isPresent()) {
            Network before = lastNetwork.get();
            Network after = network.get();
            values.add(new Scalar(
                    Names.ofRank("host.nic_received_bytes_per_second", rank),
                    (after.receivedBytes() - before.receivedBytes()) / seconds));
            values.add(new Scalar(
                    Names.ofRank("host.nic_sent_bytes_per_second", rank),
                    (after.sentBytes() - before.sentBytes()) / seconds));
        }
        if (first) {
            gpus = NvidiaSmi.start();
        }
        gpus.ifPresent(driver -> values.addAll(driver.take(rank)));
        hottestCelsius(THERMAL_ZONES)
                .ifPresent(celsius -> values.add(new Scalar(Names.ofRank("host.temperature_celsius", rank), celsius)));
        lastNanos = now;
        lastProcessorNanos = processor;
        lastNetwork = network;
        return values;
    }

    private static Optional<List<String>> read(Path file) {
        try {
            return Optional.of(Files.readAllLines(file));
        } catch (IOException notThisSystem) {
            return Optional.empty();
        }
    }

    /** The hottest of the host's sensors, {@code thermal_zone0/temp} and so on, each in thousandths of a degree. */
    static OptionalDouble hottestCelsius(Path zones) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(zones, "thermal_zone*")) {
            return StreamSupport.stream(found.spliterator(), false)
                    .flatMap(zone -> read(zone.resolve("temp")).stream().flatMap(List::stream))
                    .map(String::strip)
                    .filter(text -> text.matches("-?[0-9]{1,7}"))
                    .mapToDouble(text -> MILLI * Integer.parseInt(text))
                    .max();
        } catch (IOException notThisSystem) {
            return OptionalDouble.empty();
        }
    }

    /** {@code VmRSS:     265120 kB} */
    static OptionalLong residentBytes(List<String> status) {
        return status.stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .filter(digits -> !digits.isEmpty())
                .mapToLong(digits -> Long.parseLong(digits) * 1_024)
                .findFirst();
    }

    /** {@code   eth0: 1234 5 0 0 0 0 0 0 5678 …}: bytes received first, bytes sent ninth. */
    static Optional<Network> network(List<String> lines) {
        long received = 0;
        long sent = 0;
        boolean any = false;
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon < 0 || line.substring(0, colon).strip().equals("lo")) {
                continue;
            }
            String[] counters = line.substring(colon + 1).strip().split("\\s+", -1);
            if (counters.length >= 9) {
                received += Long.parseLong(counters[0]);
                sent += Long.parseLong(counters[8]);
                any = true;
            }
        }
        return any ? Optional.of(new Network(received, sent)) : Optional.empty();
    }

    @Override
    public void close() {
        gpus.ifPresent(NvidiaSmi::close);
    }
}
