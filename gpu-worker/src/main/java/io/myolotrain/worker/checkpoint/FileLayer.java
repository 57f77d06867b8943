package io.myolotrain.worker.checkpoint;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.List;

/** Everything that checkpoints ask of a file system. A port, so that tests can break it at every single call. */
public interface FileLayer {
    /** Creates or empties a file. */
    Sink create(Path file) throws IOException;

    SeekableByteChannel open(Path file) throws IOException;

    void createDirectories(Path directory) throws IOException;

    /** Atomic. The target does not exist, or is a file that is replaced. */
    void rename(Path from, Path to) throws IOException;

    /** Makes the names in a directory durable. */
    void sync(Path directory) throws IOException;

    /** A file or an empty directory. */
    void delete(Path path) throws IOException;

    /** Names in a directory, ascending; empty when it does not exist. */
    List<String> list(Path directory) throws IOException;

    boolean exists(Path path);

    interface Sink extends Closeable {
        /** Writes all that remains. */
        void write(ByteBuffer bytes) throws IOException;

        /** Makes the content durable. */
        void force() throws IOException;
    }

    static FileLayer disk() {
        return new DiskFiles();
    }
}
