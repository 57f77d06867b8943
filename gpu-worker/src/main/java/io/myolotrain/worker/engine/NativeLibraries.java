package io.myolotrain.worker.engine;

import com.sun.jna.Function;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.global.torch;

/**
 * Loads LibTorch once per process and describes its kernels.
 *
 * <p>JavaCPP unpacks 445 MB into a per-user cache at the first load. Several processes that start on a cold cache map files
 * that another one still writes and die with SIGBUS. So the first load on a machine runs under an exclusive file lock and
 * leaves a marker; where the marker stands, processes load side by side under a shared lock.
 */
public final class NativeLibraries {
    private static final String LOCK_FILE = "myolotrain-load.lock";
    private static final String MARKER_PREFIX = "myolotrain-unpacked-";
    private static boolean loaded;

    private NativeLibraries() {}

    /** Loads what is not loaded yet, and limits ATen to one thread. Any thread. */
    public static synchronized void load() {
        if (loaded) {
            return;
        }
        try {
            Path cache = Loader.getCacheDir().toPath();
            Files.createDirectories(cache);
            Path marker = cache.resolve(MARKER_PREFIX + Loader.getVersion("org.bytedeco", "pytorch"));
            try (FileChannel channel = FileChannel.open(
                    cache.resolve(LOCK_FILE),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE)) {
                loadUnderLock(channel, marker);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare the cache of native libraries", e);
        }
        torch.set_num_threads(1);
        loaded = true;
    }

    private static void loadUnderLock(FileChannel channel, Path marker) throws IOException {
        boolean unpacked = Files.exists(marker);
        try (var lock = channel.lock(0, Long.MAX_VALUE, unpacked)) {
            Loader.load(torch.class);
            if (!lock.isShared()) {
                Files.write(marker, new byte[0]); // idempotent: a process that waited finds everything unpacked
            }
        }
    }

    /**
     * BLAS kernels, vector level and threads, for example {@code "OpenBLAS SkylakeX, ATen AVX512, 1 thread"}. Two workers
     * compute the same bits only if these are equal.
     */
    public static String kernel() {
        load();
        try (var scope = new PointerScope()) {
            return "OpenBLAS " + blasCore() + ", ATen "
                    + torch.get_cpu_capability().getString() + ", " + torch.get_num_threads() + " thread";
        }
    }

    // The presets do not map openblas_get_corename, so it is called where JavaCPP has loaded it.
    private static String blasCore() {
        var address = Loader.addressof("openblas_get_corename");
        if (address == null) {
            throw new IllegalStateException("OpenBLAS is not loaded: loaded="
                    + Loader.getLoadedLibraries().keySet());
        }
        return Function.getFunction(new Pointer(address.address())).invokeString(new Object[0], false);
    }
}
