package io.myolotrain.worker.comm.bench;

import io.myolotrain.worker.engine.NativeLibraries;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * All-reduce among processes of this host: shared memory in tree order against blocking TCP and Gloo, 8 KiB and 1 MiB.
 *
 * <p>Figures: {@code shm8KiBMicros}, {@code tcp8KiBMicros}, {@code gloo8KiBMicros} (Gloo in its own order),
 * {@code glooTree8KiBMicros} (our order over Gloo), {@code ratioGloo8KiB}, {@code reductionVsTcpPercent8KiB}, the same with
 * {@code 1MiB}, for two processes; with the suffix {@code P4}, {@code P8} for more.
 */
public final class AllReduceBench {
    static final Map<String, Integer> SIZES_BYTES = sizes();
    private static final List<String> TRANSPORTS = List.of("shm", "tcp", "gloo", "glooTree");

    private AllReduceBench() {}

    private static Map<String, Integer> sizes() {
        var sizes = new LinkedHashMap<String, Integer>();
        sizes.put("8KiB", 8 * 1_024);
        sizes.put("1MiB", 1_024 * 1_024);
        return sizes;
    }

    /**
     * @param worldSizes powers of two, 2 to 64
     * @param rounds in each of which every transport and size takes a turn of about 0.2 s
     * @param timeout for each world size
     */
    public record Options(List<Integer> worldSizes, int rounds, Duration timeout) {
        public Options {
            worldSizes = List.copyOf(worldSizes);
            if (rounds < 1 || worldSizes.stream().anyMatch(p -> p < 2 || p > 64 || Integer.bitCount(p) != 1)) {
                throw new IllegalArgumentException("rounds must be >= 1, world sizes powers of two in [2, 64]: rounds="
                        + rounds + " worldSizes=" + worldSizes);
            }
        }

        public static Options standard() {
            return new Options(List.of(2, 4, 8), 7, Duration.ofMinutes(5));
        }
    }

    public static Map<String, Double> run(Options options) throws IOException {
        NativeLibraries.load(); // unpacks them once, before several processes want to
        var figures = new LinkedHashMap<String, Double>();
        for (int worldSize : options.worldSizes()) {
            Map<String, Double> medians = measure(worldSize, options);
            String suffix = worldSize == 2 ? "" : "P" + worldSize;
            for (String size : SIZES_BYTES.keySet()) {
                for (String transport : TRANSPORTS) {
                    figures.put(transport + size + "Micros" + suffix, measured(medians, transport + size));
                }
                double shm = measured(medians, "shm" + size);
                figures.put("ratioGloo" + size + suffix, measured(medians, "gloo" + size) / shm);
                figures.put("reductionVsTcpPercent" + size + suffix, 100 * (1 - shm / measured(medians, "tcp" + size)));
            }
        }
        return figures;
    }

    private static double measured(Map<String, Double> medians, String name) {
        return Objects.requireNonNull(medians.get(name), name);
    }

    private static Map<String, Double> measure(int worldSize, Options options) throws IOException {
        var samples = new TreeMap<String, List<Double>>();
        List<String> arguments = List.of(Integer.toString(options.rounds()));
        try (RankProcesses processes = RankProcesses.start(worldSize, AllReduceRank.class, arguments)) {
            processes.introduce(options.timeout());
            int expected = options.rounds() * SIZES_BYTES.size() * TRANSPORTS.size();
            for (int i = 0; i < expected; i++) {
                String[] figure = processes
                        .await(0, AllReduceRank.FIGURE, options.timeout())
                        .split(" ", 2);
                samples.computeIfAbsent(figure[0], name -> new ArrayList<>()).add(Double.parseDouble(figure[1]));
            }
            for (int rank = 0; rank < worldSize; rank++) {
                processes.await(rank, AllReduceRank.DONE, options.timeout());
            }
        }
        var medians = new TreeMap<String, Double>();
        samples.forEach((name, values) -> medians.put(
                name,
                values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow()));
        return medians;
    }

    /** Prints the figures; for development. The command line has its own door. */
    public static void main(String[] arguments) throws IOException {
        run(Options.standard()).forEach((name, value) -> System.out.printf("%-32s %10.2f%n", name, value));
    }
}
