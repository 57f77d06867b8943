package io.myolotrain.cli.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Holds a data directory for one process. The kernel drops the lock with the process, however that ends. */
public final class DirectoryLock implements AutoCloseable {
    private static final String FILE = "in-use.lock";
    private static final int PID_BYTES_MAX = 32;

    private final FileChannel channel;
    private final FileLock lock;

    private DirectoryLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    public static DirectoryLock take(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve(FILE);
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = tryLock(channel);
            if (lock == null) {
                throw new DirectoryInUseException(directory, holder(channel));
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
            return new DirectoryLock(channel, lock);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(PID_BYTES_MAX);
        channel.read(pid, 0);
        return new String(pid.array(), 0, pid.position(), StandardCharsets.UTF_8).trim();
    }

    /** Whether this is the file that the lock itself lives in. */
    public boolean isFileOf(Path path) {
        return path.getFileName().toString().equals(FILE);
    }

    @Override
    public void close() throws IOException {
        lock.release();
        channel.close();
    }

    /** Another process (or another broker of this process) holds the directory. */
    public static final class DirectoryInUseException extends IOException {
        DirectoryInUseException(Path directory, String pid) {
            super("a data directory belongs to one broker at a time: directory=" + directory + " is held by process "
                    + (pid.isEmpty() ? "(unknown)" : pid)
                    + ". Stop that process, or use another directory with --state DIR.");
        }
    }
}
