package io.myolotrain.worker.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Whole-file operations: write durably with a checksum of what was written, read within a bound, check a checksum. */
final class DurableFiles {
    private static final int CHUNK_BYTES = 1 << 16;

    private final FileLayer files;

    DurableFiles(FileLayer files) {
        this.files = files;
    }

    @FunctionalInterface
    interface Body {
        void writeTo(FileLayer.Sink sink) throws IOException;
    }

    /** Size and checksum of a file as its writer saw it. */
    record Written(long bytes, String sha256) {}

    Written write(Path file, Body body) throws IOException {
        try (FileLayer.Sink sink = files.create(file)) {
            var digesting = new DigestingSink(sink);
            body.writeTo(digesting);
            sink.force();
            return digesting.written();
        }
    }

    Written write(Path file, byte[] content) throws IOException {
        return write(file, sink -> sink.write(ByteBuffer.wrap(content)));
    }

    byte[] readSmall(Path file, int bytesMax) throws IOException {
        try (SeekableByteChannel channel = files.open(file)) {
            long size = channel.size();
            if (size > bytesMax) {
                throw new IOException(file.getFileName() + " must have at most " + bytesMax + " bytes: bytes=" + size);
            }
            ByteBuffer content = ByteBuffer.allocate((int) size);
            while (content.hasRemaining() && channel.read(content) >= 0) {}
            if (content.hasRemaining()) {
                throw new IOException(file.getFileName() + " ends early: missing bytes=" + content.remaining());
            }
            return content.array();
        }
    }

    long size(Path file) throws IOException {
        try (SeekableByteChannel channel = files.open(file)) {
            return channel.size();
        }
    }

    String sha256(Path file) throws IOException {
        MessageDigest digest = newDigest();
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        try (SeekableByteChannel channel = files.open(file)) {
            while (channel.read(chunk.clear()) >= 0) {
                digest.update(chunk.flip());
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    private static final class DigestingSink implements FileLayer.Sink {
        private final FileLayer.Sink sink;
        private final MessageDigest digest = newDigest();
        private long bytes;

        DigestingSink(FileLayer.Sink sink) {
            this.sink = sink;
        }

        @Override
        public void write(ByteBuffer content) throws IOException {
            digest.update(content.duplicate());
            bytes += content.remaining();
            sink.write(content);
        }

        @Override
        public void force() throws IOException {
            sink.force();
        }

        @Override
        public void close() throws IOException {
            sink.close();
        }

        Written written() {
            return new Written(bytes, HexFormat.of().formatHex(digest.digest()));
        }
    }
}
