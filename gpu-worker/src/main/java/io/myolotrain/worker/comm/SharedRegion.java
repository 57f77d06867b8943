package io.myolotrain.worker.comm;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory shared by the processes of one host: a mapped file. Rank 0 creates it under a name that was never used before and
 * tells the others; once all are attached the name is removed, so that nothing is left behind however a process ends. The
 * memory lives until the last mapping goes.
 */
final class SharedRegion implements AutoCloseable {
    static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private static final Logger LOG = LoggerFactory.getLogger(SharedRegion.class);
    private static final String PREFIX = "myolotrain-shm-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9a-f]{16}");
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    /** Forming a group takes less than this: an older file was left by a process that died in the middle of it. */
    private static final Duration STALE_AFTER = GroupConnector.TIMEOUT_MAX.plusMinutes(1);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path file;
    private final MappedByteBuffer memory;

    private SharedRegion(Path file, MappedByteBuffer memory) {
        this.file = file;
        this.memory = memory;
    }

    /** Directories in order of preference. */
    static List<Path> directories() {
        var directories = new ArrayList<Path>();
        if (Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY)) {
            directories.add(SHARED_MEMORY);
        }
        directories.add(Path.of(System.getProperty("java.io.tmpdir")));
        return directories;
    }

    static SharedRegion create(RegionLayout layout) throws IOException {
        var failures = new ArrayList<IOException>();
        for (Path directory : directories()) {
            removeStale(directory);
            try {
                return create(directory, layout);
            } catch (IOException e) { // usually: no space left in a container's small /dev/shm
                failures.add(e);
            }
        }
        var failure = new IOException("no directory takes " + layout.regionBytes()
                + " bytes of shared memory: directories=" + directories() + "; enlarge /dev/shm");
        failures.forEach(failure::addSuppressed);
        throw failure;
    }

    private static SharedRegion create(Path directory, RegionLayout layout) throws IOException {
        long nonce = RANDOM.nextLong();
        Path file = directory.resolve(PREFIX + String.format("%016x", nonce));
        Set<OpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (FileChannel channel = FileChannel.open(file, options, ownerOnly)) {
            reserve(channel, layout.regionBytes());
            var region = new SharedRegion(file, map(channel, layout.regionBytes()));
            region.writeHeader(layout, nonce);
            return region;
        } catch (FileAlreadyExistsException e) {
            throw e; // somebody else's file
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /** Writes every page: a full file system is an error here and not a SIGBUS in the middle of a step. */
    private static void reserve(FileChannel channel, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
        for (long at = 0; at < bytes; ) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
            at += channel.write(zeros, at);
        }
    }

    static SharedRegion attach(String name, RegionLayout layout) throws IOException {
        if (!NAME.matcher(name).matches()) { // it came over the network
            throw new IOException("a region's name must match " + NAME + ": name=" + name);
        }
        for (Path directory : directories()) { // rank 0 may have used any
            Path file = directory.resolve(name);
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return attach(file, layout, Long.parseUnsignedLong(name.substring(PREFIX.length()), 16));
            }
        }
        throw new IOException("ranks that share memory must see the same directories: name=" + name + " is in none of "
                + directories());
    }

    private static SharedRegion attach(Path file, RegionLayout layout, long nonce) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try (FileChannel channel = FileChannel.open(file, options)) {
            if (channel.size() != layout.regionBytes()) {
                throw new IOException("shared memory must have the size of its layout: file=" + file + " bytes="
                        + channel.size() + " layout=" + layout + " needs=" + layout.regionBytes());
            }
            var region = new SharedRegion(file, map(channel, layout.regionBytes()));
            region.checkHeader(layout, nonce);
            return region;
        }
    }

    private static MappedByteBuffer map(FileChannel channel, long bytes) throws IOException {
        MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        mapped.order(ByteOrder.nativeOrder());
        return mapped;
    }

    private static long[] header(RegionLayout layout, long nonce) {
        return new long[] {
            RegionLayout.MAGIC,
            RegionLayout.VERSION,
            layout.worldSize(),
            layout.members(),
            layout.areaBytes(),
            layout.regionBytes(),
            nonce
        };
    }

    private void writeHeader(RegionLayout layout, long nonce) {
        long[] header = header(layout, nonce);
        for (int i = header.length - 1; i >= 0; i--) {
            LONG.setVolatile(memory, i * Long.BYTES, header[i]);
        }
    }

    private void checkHeader(RegionLayout layout, long nonce) throws IOException {
        long[] header = header(layout, nonce);
        for (int i = 0; i < header.length; i++) {
            long found = (long) LONG.getVolatile(memory, i * Long.BYTES);
            if (found != header[i]) {
                throw new IOException("shared memory must carry the header of its layout: file=" + file + " word=" + i
                        + " found=" + found + " expected=" + header[i]);
            }
        }
    }

    /** Files of groups whose forming was cut short by a kill. */
    private static void removeStale(Path directory) throws IOException {
        FileTime staleBefore = FileTime.from(Instant.now().minus(STALE_AFTER));
        try (var files = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path file : files) {
                removeStale(file, staleBefore);
            }
        }
    }

    private static void removeStale(Path file, FileTime staleBefore) {
        try {
            if (NAME.matcher(file.getFileName().toString()).matches()
                    && Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                                    .compareTo(staleBefore)
                            < 0) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) { // gone meanwhile, or another user's: nothing that stands in this group's way
            LOG.atDebug().setCause(e).addKeyValue("file", file).log("stale shared memory was not removed");
        }
    }

    String name() {
        return file.getFileName().toString();
    }

    ByteBuffer memory() {
        return memory;
    }

    /** Removes the name. The memory stays for those who are attached. */
    void unlink() throws IOException {
        Files.deleteIfExists(file);
    }

    /** Gives the memory back at once instead of at some garbage collection. Nobody may touch {@link #memory} afterwards. */
    @Override
    public void close() {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            var instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            unsafe.getMethod("invokeCleaner", ByteBuffer.class).invoke(instance.get(null), memory);
        } catch (ReflectiveOperationException | RuntimeException e) {
            // A runtime without this door unmaps when the buffer is collected: later, not wrongly.
            LOG.atDebug().setCause(e).log("shared memory is left to the garbage collector");
        }
    }
}
