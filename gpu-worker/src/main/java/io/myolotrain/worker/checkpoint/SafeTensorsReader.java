package io.myolotrain.worker.checkpoint;

import io.myolotrain.worker.checkpoint.SafeTensorsHeader.Entry;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads a safetensors file. Nothing in it is believed before it is checked: sizes against the file, offsets against each
 * other, shapes against what the caller expects. Owns the channel.
 */
final class SafeTensorsReader implements Closeable {
    private final SeekableByteChannel channel;
    private final SafeTensorsHeader header;
    private final SortedMap<String, Entry> byName = new TreeMap<>();
    private final ByteBuffer chunk;

    private SafeTensorsReader(SeekableByteChannel channel) throws IOException {
        this.channel = channel;
        this.header = readHeader(channel);
        header.tensors().forEach(entry -> byName.put(entry.name(), entry));
        this.chunk = SafeTensorsWriter.chunkFor(
                header.tensors().stream().mapToLong(Entry::bytes).max().orElse(0) / Float.BYTES);
    }

    static SafeTensorsReader open(SeekableByteChannel channel) throws IOException {
        try {
            return new SafeTensorsReader(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static SafeTensorsHeader readHeader(SeekableByteChannel channel) throws IOException {
        long fileBytes = channel.size();
        if (fileBytes < SafeTensorsHeader.LENGTH_BYTES + 2) {
            throw new IOException("a safetensors file starts with a length and a JSON object: bytes=" + fileBytes);
        }
        ByteBuffer length = ByteBuffer.allocate(SafeTensorsHeader.LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        readFully(channel, 0, length);
        long jsonBytes = length.flip().getLong();
        long available = Math.min(SafeTensorsHeader.HEADER_BYTES_MAX, fileBytes - SafeTensorsHeader.LENGTH_BYTES);
        if (jsonBytes < 2 || jsonBytes > available) {
            throw new IOException("header length must be in [2, " + available + "]: length="
                    + Long.toUnsignedString(jsonBytes) + " file bytes=" + fileBytes);
        }
        ByteBuffer json = ByteBuffer.allocate((int) jsonBytes);
        readFully(channel, SafeTensorsHeader.LENGTH_BYTES, json);
        return SafeTensorsHeader.parse(json.array(), fileBytes);
    }

    SortedMap<String, String> metadata() {
        return header.metadata();
    }

    List<Entry> tensors() {
        return header.tensors();
    }

    @FunctionalInterface
    interface Receiver {
        /** @param chunk elements from {@code first} on (row-major) */
        void accept(long first, FloatBuffer chunk);
    }

    /** Streams a float32 tensor of exactly these dimensions. */
    void read(String name, List<Integer> dims, Receiver receiver) throws IOException {
        Entry entry = byName.get(name);
        List<Long> expected = dims.stream().map(Integer::longValue).toList();
        if (entry == null || !entry.dtype().equals("F32") || !entry.shape().equals(expected)) {
            throw new IOException("tensor must be there as F32 of the expected shape: tensor=" + name + " expected="
                    + dims + " found=" + (entry == null ? "none" : entry.dtype() + " " + entry.shape()));
        }
        FloatBuffer floats = chunk.clear().asFloatBuffer();
        long total = entry.bytes() / Float.BYTES;
        for (long first = 0; first < total; first += SafeTensorsWriter.CHUNK_FLOATS) {
            int count = (int) Math.min(SafeTensorsWriter.CHUNK_FLOATS, total - first);
            chunk.clear().limit(count * Float.BYTES);
            readFully(channel, header.dataStart() + entry.begin() + first * Float.BYTES, chunk);
            receiver.accept(first, floats.clear().limit(count));
        }
    }

    private static void readFully(SeekableByteChannel channel, long at, ByteBuffer into) throws IOException {
        channel.position(at);
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException(
                        "file ends early: at=" + channel.position() + " missing bytes=" + into.remaining());
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
