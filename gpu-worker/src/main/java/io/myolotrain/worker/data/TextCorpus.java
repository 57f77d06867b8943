package io.myolotrain.worker.data;

import io.myolotrain.worker.data.TextFiles.TextFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.zip.ZipFile;

/**
 * Text files as one stream of bytes; each byte is a token. Files stand in name order, each followed by a zero byte, the
 * one byte that text does not contain. A file with a zero byte near its start is binary whatever its name says, and left out.
 * Everything is read at opening: a file that changes later does not change the stream.
 */
final class TextCorpus implements Tokens {
    static final int VOCABULARY = 256;

    /** One array holds the stream; larger corpora are token files, which are mapped. */
    static final long TOTAL_BYTES_MAX = Integer.MAX_VALUE - 16L;

    private static final int BINARY_PROBE_BYTES = 8_192; // as git does
    private static final byte SEPARATOR = 0;

    private final byte[] bytes;
    private final int count;
    private final String fingerprint;
    private final String description;

    private TextCorpus(byte[] bytes, int count, String fingerprint, String description) {
        this.bytes = bytes;
        this.count = count;
        this.fingerprint = fingerprint;
        this.description = description;
    }

    static TextCorpus ofDirectory(Path directory) throws IOException {
        try {
            return read(TextFiles.inDirectory(directory), directory, TOTAL_BYTES_MAX);
        } catch (UncheckedIOException walkFailed) {
            throw walkFailed.getCause();
        }
    }

    static TextCorpus ofArchive(Path archive) throws IOException {
        try (var zip = new ZipFile(archive.toFile())) {
            return read(TextFiles.inArchive(zip, archive), archive, TOTAL_BYTES_MAX);
        }
    }

    static TextCorpus ofFile(Path file) throws IOException {
        // The name stays out of the fingerprint: the same text under another name is the same corpus.
        var only = new TextFile("", Files.size(file), () -> Files.newInputStream(file));
        return read(List.of(only), file, TOTAL_BYTES_MAX);
    }

    static TextCorpus read(List<TextFile> files, Path path, long totalBytesMax) throws IOException {
        long total = 0;
        for (TextFile file : files) {
            total += file.sizeBytes() + 1;
            if (total > totalBytesMax) {
                throw new CorpusException("a text corpus holds at most " + totalBytesMax + " bytes: data=" + path
                        + " files=" + files.size() + " bytes>=" + total
                        + "; name a part of it, or convert it to a uint16 token file (.bin), which may be larger");
            }
        }
        var bytes = new byte[(int) total];
        MessageDigest digest = Fingerprints.sha256();
        int end = 0;
        for (TextFile file : files) {
            int length = readFile(file, path, bytes, end);
            if (isBinary(bytes, end, length)) {
                continue;
            }
            digest.update(file.name().getBytes(StandardCharsets.UTF_8));
            digest.update(SEPARATOR);
            digest.update(Fingerprints.bytes(length));
            digest.update(bytes, end, length);
            end += length;
            bytes[end++] = SEPARATOR;
        }
        return new TextCorpus(bytes, end, Fingerprints.hex(digest), path.toString());
    }

    private static int readFile(TextFile file, Path path, byte[] bytes, int at) throws IOException {
        int size = (int) file.sizeBytes();
        try (InputStream in = file.content().open()) {
            int length = in.readNBytes(bytes, at, size);
            if (length != size || in.read() >= 0) {
                throw new CorpusException("a file must have the size that its directory states: data=" + path + " file="
                        + file.name() + " stated=" + size + "; it is damaged, or it changed while it was read");
            }
            return length;
        }
    }

    private static boolean isBinary(byte[] bytes, int from, int length) {
        int end = from + Math.min(length, BINARY_PROBE_BYTES);
        for (int i = from; i < end; i++) {
            if (bytes[i] == 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public void read(long from, int length, int[] out, int offset) {
        int start = Math.toIntExact(from);
        if (start < 0 || length > count - start) {
            throw new IllegalArgumentException(
                    "tokens must lie within the corpus: from=" + from + " length=" + length + " tokens=" + count);
        }
        for (int i = 0; i < length; i++) {
            out[offset + i] = Byte.toUnsignedInt(bytes[start + i]);
        }
    }

    @Override
    public String fingerprint() {
        return fingerprint;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public void close() {
        // Holds no file: the stream is in memory.
    }
}
