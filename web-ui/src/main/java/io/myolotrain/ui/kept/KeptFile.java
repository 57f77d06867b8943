package io.myolotrain.ui.kept;

import io.myolotrain.core.encoding.CanonicalCodec;
import io.myolotrain.core.encoding.MalformedEncodingException;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.ui.live.Kept;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One file, replaced as a whole. It is a copy of what the log holds: whatever is wrong with it, the answer is to read the log
 * from its begin. Thread-safe.
 *
 * <pre>
 *  magic (8) · layout of what is kept (32) · CRC-32C of the rest (4) · bytes when inflated (4) · deflated encoding
 * </pre>
 */
public final class KeptFile {
    private static final Logger LOG = LoggerFactory.getLogger(KeptFile.class);
    private static final byte[] MAGIC = "myoui-01".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD_BYTES = MAGIC.length + 32 + Integer.BYTES;
    private static final int BYTES_MAX = 256 << 20;
    private static final int CHUNK_BYTES = 64 << 10;

    private final Path file;
    private final PoolId pool;
    private final CanonicalCodec codec = new CanonicalCodec();
    private final byte[] layout = Layout.of(Kept.class);

    /** @param directory made when it is not there; one pool's server at a time writes there */
    public KeptFile(Path directory, PoolId pool) {
        this.file = directory.resolve("decisions-read");
        this.pool = pool;
    }

    /** Empty when there is none that can be gone on from; then the log says why not. */
    public synchronized Optional<Kept> read() {
        try {
            if (!Files.exists(file)) {
                return Optional.empty();
            }
            if (Files.size(file) > BYTES_MAX) {
                return without("at most " + BYTES_MAX + " bytes are read: bytes=" + Files.size(file));
            }
            return decoded(ByteBuffer.wrap(Files.readAllBytes(file)));
        } catch (IOException e) {
            return without(e.toString());
        }
    }

    private Optional<Kept> decoded(ByteBuffer bytes) {
        if (bytes.remaining() < HEAD_BYTES + Integer.BYTES) {
            return without("the file ends early");
        }
        byte[] magic = new byte[MAGIC.length];
        byte[] written = new byte[layout.length];
        bytes.get(magic).get(written);
        if (!Arrays.equals(magic, MAGIC) || !Arrays.equals(written, layout)) {
            return without("another release wrote it");
        }
        int checksum = bytes.getInt();
        if (checksum != checksum(bytes.slice())) {
            return without("its checksum is another one");
        }
        try {
            Kept kept = codec.decode(inflated(bytes), Kept.class);
            return kept.cluster().pool().equals(pool)
                    ? Optional.of(kept)
                    : without("it is of pool " + kept.cluster().pool() + ", not of " + pool);
        } catch (DataFormatException | MalformedEncodingException e) {
            return without(e.toString());
        }
    }

    private Optional<Kept> without(String reason) {
        LOG.atWarn()
                .addKeyValue("file", file)
                .addKeyValue("reason", reason)
                .log("what was read before cannot be gone on from: all decisions are read");
        return Optional.empty();
    }

    /** Either the old or the new content is there afterwards, whole. */
    public synchronized void write(Kept kept) throws IOException {
        byte[] encoded = codec.encode(kept, Kept.class);
        ByteBuffer body = deflated(encoded);
        if (encoded.length > BYTES_MAX || body.remaining() > BYTES_MAX - HEAD_BYTES) {
            throw new IOException("at most " + BYTES_MAX + " bytes are kept: bytes=" + encoded.length);
        }
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
        head.put(MAGIC).put(layout).putInt(checksum(body.slice())).flip();
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            writeAll(channel, head);
            writeAll(channel, body);
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static ByteBuffer deflated(byte[] encoded) {
        var deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setInput(encoded);
            deflater.finish();
            var out = new ByteArrayOutputStream(encoded.length / 2 + CHUNK_BYTES);
            out.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(encoded.length).array());
            byte[] chunk = new byte[CHUNK_BYTES];
            while (!deflater.finished()) {
                out.write(chunk, 0, deflater.deflate(chunk));
            }
            return ByteBuffer.wrap(out.toByteArray());
        } finally {
            deflater.end();
        }
    }

    private static byte[] inflated(ByteBuffer body) throws DataFormatException {
        int length = body.getInt();
        if (length < 0 || length > BYTES_MAX) {
            throw new DataFormatException("at most " + BYTES_MAX + " bytes are inflated: bytes=" + length);
        }
        var inflater = new Inflater();
        try {
            inflater.setInput(body);
            byte[] encoded = new byte[length];
            int at = 0;
            while (at < length) {
                int more = inflater.inflate(encoded, at, length - at);
                if (more == 0) {
                    throw new DataFormatException("the file ends early: missing bytes=" + (length - at));
                }
                at += more;
            }
            return encoded;
        } finally {
            inflater.end();
        }
    }

    private static int checksum(ByteBuffer bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
