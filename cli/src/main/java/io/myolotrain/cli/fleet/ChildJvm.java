package io.myolotrain.cli.fleet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How a child of this JVM is started: same Java, same class path.
 *
 * @param launcher what starts the JVM and becomes it, such as {@code numactl} or {@code ip netns exec}; may be empty
 * @param jvmFlags before the class name
 * @param environment added to this process's environment
 */
public record ChildJvm(
        List<String> launcher, List<String> jvmFlags, Map<String, String> environment, String mainClass) {
    /** A terminal sends Ctrl-C to parent and children alike; the parent alone decides in which order they stop. */
    private static final String IGNORE_TERMINAL_SIGNALS = "trap '' INT HUP; exec \"$0\" \"$@\"";

    public ChildJvm(List<String> jvmFlags, Map<String, String> environment, String mainClass) {
        this(List.of(), jvmFlags, environment, mainClass);
    }

    public ChildJvm {
        launcher = List.copyOf(launcher);
        jvmFlags = List.copyOf(jvmFlags);
        environment = Map.copyOf(environment);
    }

    ProcessBuilder process(List<String> arguments) {
        var command = new ArrayList<String>(List.of("sh", "-c", IGNORE_TERMINAL_SIGNALS));
        command.addAll(launcher);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder;
    }
}
