package io.myolotrain.worker.engine;

import java.util.List;
import java.util.Map;

/**
 * How a process that loads LibTorch is started. One intra-op thread: the sum order of a kernel depends on its threads. Large
 * pages and few malloc arenas: what the kernel has to clear away when the process is killed keeps a core from its survivors.
 */
public final class LaunchFlags {
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "OMP_NUM_THREADS", "1",
            "OPENBLAS_NUM_THREADS", "1", // a second spinning pool beside OpenMP's makes both 10 times slower
            "OMP_WAIT_POLICY", "PASSIVE",
            "MALLOC_ARENA_MAX", "2",
            "GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");

    private LaunchFlags() {}

    /** Native memory has one owner that frees it: no limit enforced by, and no deallocation through, the garbage collector. */
    public static List<String> jvmFlags() {
        return List.of(
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-Dorg.bytedeco.javacpp.nopointergc=true",
                "-XX:+UseTransparentHugePages");
    }

    public static Map<String, String> environment() {
        return ENVIRONMENT;
    }
}
