package io.myolotrain.worker.readings;

import io.myolotrain.core.sampling.Scalars.Scalar;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What NVML tells of the GPUs that this worker sees, through the driver's own command: a crash of the driver's library is then
 * not one of the training process. One child that writes a line per GPU and second; a child whose worker was killed ends at its
 * next line, because nobody reads it. Thread-safe.
 */
final class NvidiaSmi implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NvidiaSmi.class);
    /** The order of {@link #of}'s columns. */
    private static final String QUERY =
            "index,uuid,utilization.gpu,utilization.memory,memory.used,memory.total,temperature.gpu,power.draw";

    private static final List<String> COMMAND =
            List.of("nvidia-smi", "--query-gpu=" + QUERY, "--format=csv,noheader,nounits", "--loop=1");
    private static final int COLUMNS = QUERY.split(",", -1).length;
    private static final int GPUS_MAX = 64;
    private static final double MIB = 1_024 * 1_024;
    /** Older values tell of a child that hangs, not of the GPU. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Visible visible;
    private final Process child;
    private final Map<Integer, Seen> latest = new ConcurrentSkipListMap<>();

    /** The values of one line; what the GPU does not support is missing. */
    record Gpu(int index, String uuid, List<Scalar> values) {}

    private record Seen(Gpu gpu, long nanos) {}

    /**
     * Which GPUs a process may use.
     *
     * @param names indices or UUIDs (or how one begins); empty = all
     */
    record Visible(Optional<Set<String>> names) {

        /** @param variable {@code CUDA_VISIBLE_DEVICES}, whose indices count here in the order of the PCI bus */
        static Visible of(Optional<String> variable) {
            return new Visible(variable.map(list -> Stream.of(list.split(",", -1))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .collect(Collectors.toUnmodifiableSet())));
        }

        boolean none() {
            return names.isPresent() && (names.get().isEmpty() || names.get().contains("-1"));
        }

        boolean has(Gpu gpu) {
            return names.isEmpty()
                    || names.get().contains(Integer.toString(gpu.index()))
                    || names.get().stream()
                            .anyMatch(name ->
                                    name.startsWith("GPU-") && gpu.uuid().startsWith(name));
        }
    }

    private NvidiaSmi(Visible visible, Process child) {
        this.visible = visible;
        this.child = child;
        Thread reader = new Thread(this::read, "nvidia-smi");
        reader.setDaemon(true);
        reader.start();
    }

    /** Empty where this machine has no driver, or this process may use no GPU. */
    static Optional<NvidiaSmi> start() {
        return start(COMMAND, Visible.of(Optional.ofNullable(System.getenv("CUDA_VISIBLE_DEVICES"))));
    }

    static Optional<NvidiaSmi> start(List<String> command, Visible visible) {
        if (visible.none()) {
            return Optional.empty();
        }
        try {
            Process child = new ProcessBuilder(command)
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectError(Redirect.DISCARD)
                    .start();
            return Optional.of(new NvidiaSmi(visible, child));
        } catch (IOException noDriver) {
            log.atDebug().setCause(noDriver).log("no readings of GPUs");
            return Optional.empty();
        }
    }

    /** Of each visible GPU, as of the last seconds. */
    List<Scalar> take(int rank) {
        long now = System.nanoTime();
        List<Scalar> values = new ArrayList<>();
        for (Seen seen : latest.values()) {
            if (now - seen.nanos() <= FRESH_NANOS) {
                for (Scalar value : seen.gpu().values()) {
                    values.add(new Scalar(
                            Names.ofRank(value.name() + ".gpu" + seen.gpu().index(), rank), value.value()));
                }
            }
        }
        return values;
    }

    private void read() {
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            lines.lines()
                    .map(NvidiaSmi::of)
                    .flatMap(Optional::stream)
                    .filter(visible::has)
                    .filter(gpu -> gpu.index() < GPUS_MAX)
                    .forEach(gpu -> latest.put(gpu.index(), new Seen(gpu, System.nanoTime())));
        } catch (IOException | UncheckedIOException closed) {
            log.atDebug().setCause(closed).log("nvidia-smi is read no more");
        }
        log.atDebug().log("nvidia-smi has ended");
    }

    /**
     * {@code 0, GPU-8932f937-…, 37, 12, 1024, 81559, 41, [N/A]}: memory in MiB, temperature in °C, power in W. Empty for any
     * other line, such as {@code No devices were found}.
     */
    static Optional<Gpu> of(String line) {
        String[] columns = line.split(",", -1);
        if (columns.length != COLUMNS) {
            return Optional.empty();
        }
        OptionalDouble index = number(columns[0]);
        if (index.isEmpty() || index.getAsDouble() < 0) {
            return Optional.empty();
        }
        List<Scalar> values = Stream.of(
                        scalar("gpu.utilization_percent", columns[2], 1),
                        scalar("gpu.memory_busy_percent", columns[3], 1),
                        scalar("gpu.memory_used_bytes", columns[4], MIB),
                        scalar("gpu.memory_total_bytes", columns[5], MIB),
                        scalar("gpu.temperature_celsius", columns[6], 1),
                        scalar("gpu.power_watts", columns[7], 1))
                .flatMap(Collection::stream)
                .toList();
        return Optional.of(new Gpu((int) index.getAsDouble(), columns[1].strip(), values));
    }

    private static List<Scalar> scalar(String name, String column, double unit) {
        OptionalDouble value = number(column);
        return value.isPresent() ? List.of(new Scalar(name, value.getAsDouble() * unit)) : List.of();
    }

    private static OptionalDouble number(String column) {
        try {
            return OptionalDouble.of(Double.parseDouble(column.strip()));
        } catch (NumberFormatException notSupportedByThisGpu) {
            return OptionalDouble.empty();
        }
    }

    @Override
    public void close() {
        child.destroy();
    }
}
