package io.myolotrain.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class LaunchFlagsTest {
    @Test
    void theTestsRunAsAWorkerIsLaunched() {
        assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments()).containsAll(LaunchFlags.jvmFlags());
        assertThat(System.getenv()).containsAllEntriesOf(LaunchFlags.environment());
    }

    @Test
    void theKernelNamesBlasVectorLevelAndOneThread() {
        assertThat(NativeLibraries.kernel()).matches("OpenBLAS \\S+, ATen \\S+, 1 thread");
    }
}
