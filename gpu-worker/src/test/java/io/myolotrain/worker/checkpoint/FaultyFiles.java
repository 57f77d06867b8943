package io.myolotrain.worker.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.TreeSet;

/**
 * The real file system until a chosen change to it: from then on the process is dead, or the disk is full or read-only. A write that dies
 * leaves half of its bytes; with {@code losesUnforced} so does every file that was not forced, as after a power cut.
 */
final class FaultyFiles implements FileLayer {
    /** Not an IOException: code under test must not be able to handle its own death. */
    static final class Killed extends Error {
        Killed(String at) {
            super("killed at " + at);
        }
    }

    private final FileLayer disk = FileLayer.disk();
    private final TreeSet<Path> unforced = new TreeSet<>();
    private final int killAtChange;
    private final boolean losesUnforced;
    private long freeBytes = Long.MAX_VALUE;
    private boolean readOnly;
    private int changes;
    private boolean dead;

    private FaultyFiles(int killAtChange, boolean losesUnforced) {
        this.killAtChange = killAtChange;
        this.losesUnforced = losesUnforced;
    }

    static FaultyFiles healthy() {
        return new FaultyFiles(Integer.MAX_VALUE, false);
    }

    static FaultyFiles killedAt(int change) {
        return new FaultyFiles(change, false);
    }

    static FaultyFiles powerCutAt(int change) {
        return new FaultyFiles(change, true);
    }

    static FaultyFiles fullAfter(long bytes) {
        var files = new FaultyFiles(Integer.MAX_VALUE, false);
        files.freeBytes = bytes;
        return files;
    }

    static FaultyFiles readOnly() {
        var files = new FaultyFiles(Integer.MAX_VALUE, false);
        files.readOnly = true;
        return files;
    }

    boolean wasKilled() {
        return dead;
    }

    private void change(String what) throws IOException {
        if (readOnly) {
            throw new FileSystemException(what, null, "Read-only file system");
        }
        if (dead) {
            throw new Killed(what);
        }
        if (++changes == killAtChange) {
            die(what);
        }
    }

    private void die(String what) {
        dead = true;
        if (losesUnforced) {
            for (Path file : unforced) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(channel.size() / 2);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        throw new Killed(what);
    }

    @Override
    public Sink create(Path file) throws IOException {
        change("create " + file.getFileName());
        Sink sink = disk.create(file);
        unforced.add(file);
        return new Sink() {
            @Override
            public void write(ByteBuffer bytes) throws IOException {
                if (bytes.remaining() > freeBytes) {
                    sink.write(bytes.slice(bytes.position(), (int) freeBytes));
                    freeBytes = 0;
                    throw new IOException("No space left on device");
                }
                freeBytes -= bytes.remaining();
                if (!dead && changes + 1 == killAtChange) {
                    sink.write(bytes.slice(bytes.position(), bytes.remaining() / 2));
                }
                change("write " + file.getFileName());
                sink.write(bytes);
            }

            @Override
            public void force() throws IOException {
                change("force " + file.getFileName());
                unforced.remove(file); // the power cut is simulated: no need to wait for a real disk
            }

            @Override
            public void close() throws IOException {
                sink.close();
            }
        };
    }

    @Override
    public SeekableByteChannel open(Path file) throws IOException {
        return disk.open(file);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            change("createDirectories");
        }
        disk.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        change("rename to " + to.getFileName());
        disk.rename(from, to);
        if (unforced.remove(from)) {
            unforced.add(to);
        }
    }

    @Override
    public void sync(Path directory) throws IOException {
        change("sync " + directory.getFileName());
    }

    @Override
    public void delete(Path path) throws IOException {
        change("delete " + path.getFileName());
        disk.delete(path);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return disk.list(directory);
    }

    @Override
    public boolean exists(Path path) {
        return disk.exists(path);
    }
}
