package io.myolotrain.worker.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

/**
 * A token file as nanoGPT writes it: little-endian uint16, nothing else. Mapped, so its size is bounded by the disk. A
 * value is checked against the vocabulary when it is read: checking all of a large file would read all of it.
 */
final class TokenFile implements Tokens {
    private static final int SEGMENT_SHIFT = 29; // tokens; 1 GiB of file, since a mapping is at most 2 GiB
    private static final int SEGMENT_MASK = (1 << SEGMENT_SHIFT) - 1;
    private static final long FILE_BYTES_MAX = 1L << 44;

    private static final int PROBE_BYTES = 4_096;
    private static final int PROBES = 257;

    private final MappedByteBuffer[] segments;
    private final long count;
    private final int vocabulary;
    private final String fingerprint;
    private final Path path;

    private TokenFile(MappedByteBuffer[] segments, long count, int vocabulary, String fingerprint, Path path) {
        this.segments = segments;
        this.count = count;
        this.vocabulary = vocabulary;
        this.fingerprint = fingerprint;
        this.path = path;
    }

    static TokenFile open(Path path, int vocabulary) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long bytes = channel.size();
            if (bytes % Short.BYTES != 0 || bytes > FILE_BYTES_MAX) {
                throw new CorpusException("a token file holds uint16 values, so an even number of bytes up to "
                        + FILE_BYTES_MAX + ": file=" + path + " bytes=" + bytes);
            }
            long segmentBytes = (long) Short.BYTES << SEGMENT_SHIFT;
            var segments = new MappedByteBuffer[(int) ((bytes + segmentBytes - 1) / segmentBytes)];
            for (int i = 0; i < segments.length; i++) {
                long at = i * segmentBytes;
                segments[i] = channel.map(FileChannel.MapMode.READ_ONLY, at, Math.min(segmentBytes, bytes - at));
                segments[i].order(ByteOrder.LITTLE_ENDIAN);
            }
            return new TokenFile(segments, bytes / Short.BYTES, vocabulary, fingerprint(channel, bytes), path);
        }
    }

    /** Size and evenly spaced pages, first and last included: tells two corpora apart without reading all of either. */
    private static String fingerprint(FileChannel channel, long bytes) throws IOException {
        MessageDigest digest = Fingerprints.sha256();
        digest.update(Fingerprints.bytes(bytes));
        long stride = Math.max(PROBE_BYTES, (bytes - PROBE_BYTES) / (PROBES - 1));
        for (long at = 0; at < bytes; at += stride) {
            ByteBuffer page = ByteBuffer.allocate((int) Math.min(PROBE_BYTES, bytes - at));
            while (page.hasRemaining() && channel.read(page, at + page.position()) >= 0) {}
            digest.update(page.flip());
        }
        return Fingerprints.hex(digest);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public void read(long from, int length, int[] out, int offset) {
        if (from < 0 || length > count - from) {
            throw new IllegalArgumentException(
                    "tokens must lie within the file: from=" + from + " length=" + length + " tokens=" + count);
        }
        for (int i = 0; i < length; i++) {
            long at = from + i;
            int token = Short.toUnsignedInt(
                    segments[(int) (at >>> SEGMENT_SHIFT)].getShort((int) (at & SEGMENT_MASK) * Short.BYTES));
            if (token >= vocabulary) {
                throw new CorpusException("a token must be below the vocabulary: token=" + token + " vocabulary="
                        + vocabulary + " index=" + at + " file=" + path
                        + "; submit the job with the vocabulary of the file's tokenizer");
            }
            out[offset + i] = token;
        }
    }

    @Override
    public String fingerprint() {
        return fingerprint;
    }

    @Override
    public String description() {
        return path.toString();
    }

    @Override
    public void close() {
        // The mapping goes with the buffers: Java 17 has no safe way to unmap one that another thread may read.
    }
}
