package io.myolotrain.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a figure depends on besides the code. */
final class Machine {
    /** Variables that choose compute kernels or thread counts. */
    private static final String[] KERNEL_ENVIRONMENT = {
        "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "OMP_WAIT_POLICY"
    };

    private Machine() {}

    static Map<String, Object> describe() {
        var machine = new LinkedHashMap<String, Object>();
        machine.put("cores", Runtime.getRuntime().availableProcessors());
        machine.put("cpu", field("/proc/cpuinfo", "model name").orElse(System.getProperty("os.arch")));
        machine.put("memory", field("/proc/meminfo", "MemTotal").orElse("unknown"));
        machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        var kernel = new LinkedHashMap<String, String>();
        for (String name : KERNEL_ENVIRONMENT) {
            Optional.ofNullable(System.getenv(name)).ifPresent(value -> kernel.put(name, value));
        }
        machine.put("kernelEnvironment", kernel);
        return machine;
    }

    private static Optional<String> field(String file, String name) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(line -> line.startsWith(name))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip());
        } catch (IOException notThisSystem) {
            return Optional.empty();
        }
    }
}
