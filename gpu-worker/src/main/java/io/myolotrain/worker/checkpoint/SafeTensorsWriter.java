package io.myolotrain.worker.checkpoint;

import io.myolotrain.worker.checkpoint.SafeTensorsHeader.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes float32 tensors as a safetensors file, streaming: never more than one chunk is held. */
final class SafeTensorsWriter {
    static final int CHUNK_FLOATS = 65_536;

    private SafeTensorsWriter() {}

    /** A tensor to write; {@code values} is asked for its elements in order. */
    record Tensor(String name, List<Integer> dims, Values values) {
        long floats() {
            return dims.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
        }
    }

    @FunctionalInterface
    interface Values {
        /** Fills all that remains of {@code chunk} with elements from {@code first} on (row-major). */
        void copyTo(long first, FloatBuffer chunk);
    }

    /** Values that stand side by side in a buffer. */
    static Values contiguous(FloatBuffer buffer, int offset) {
        return (first, chunk) -> chunk.put(buffer.slice(Math.toIntExact(offset + first), chunk.remaining()));
    }

    /** A buffer for the largest tensor, but never more than a chunk. */
    static ByteBuffer chunkFor(long floatsMax) {
        return ByteBuffer.allocateDirect((int) Math.min(CHUNK_FLOATS, floatsMax) * Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    static void write(FileLayer.Sink out, Map<String, String> metadata, List<Tensor> tensors) throws IOException {
        var entries = new ArrayList<Entry>(tensors.size());
        long at = 0;
        for (Tensor tensor : tensors) {
            long end = Math.addExact(at, Math.multiplyExact(tensor.floats(), Float.BYTES));
            List<Long> shape = tensor.dims().stream().map(Integer::longValue).toList();
            entries.add(new Entry(tensor.name(), "F32", shape, at, end));
            at = end;
        }
        out.write(ByteBuffer.wrap(SafeTensorsHeader.encode(metadata, entries)));
        ByteBuffer bytes =
                chunkFor(tensors.stream().mapToLong(Tensor::floats).max().orElse(0));
        FloatBuffer floats = bytes.asFloatBuffer();
        for (Tensor tensor : tensors) {
            long total = tensor.floats();
            for (long first = 0; first < total; first += CHUNK_FLOATS) {
                int count = (int) Math.min(CHUNK_FLOATS, total - first);
                tensor.values().copyTo(first, floats.clear().limit(count));
                out.write(bytes.clear().limit(count * Float.BYTES));
            }
        }
    }
}
