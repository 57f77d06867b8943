package io.myolotrain.cli;

import io.myolotrain.worker.engine.LaunchFlags;
import java.util.ArrayList;
import java.util.List;

/** How tests start processes of their own. */
public final class TestJvm {
    private TestJvm() {}

    /** A process of a test lives for a minute: the second compiler would take more than it gives back. */
    public static List<String> flags(String heap) {
        return List.of("-Xmx" + heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    }

    public static List<String> workerFlags() {
        var flags = new ArrayList<>(LaunchFlags.jvmFlags());
        flags.addAll(flags("256m"));
        return flags;
    }
}
