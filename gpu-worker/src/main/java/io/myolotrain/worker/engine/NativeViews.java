package io.myolotrain.worker.engine;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.global.torch;

/**
 * Tensors over the callers' direct buffers, made once per buffer: the same few buffers come round step after step, so they
 * are remembered by address. The views do not own the memory; an entry is touched only while a caller passes a buffer at
 * its address.
 */
final class NativeViews implements AutoCloseable {
    private static final int ENTRIES_MAX =
            4_096; // the least recently used is forgotten, and made again when it returns

    private final Map<Key, FlatView> byAddress = new LinkedHashMap<>(16, 0.75f, true);

    private record Key(long address, int floats) {}

    /** The view of {@code [0, limit)} of the buffer. */
    FlatView of(FloatBuffer buffer) {
        if (!buffer.isDirect() || buffer.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException("buffers must be direct and of native byte order: direct="
                    + buffer.isDirect() + " order=" + buffer.order());
        }
        try (var pointer = new FloatPointer(buffer.duplicate().position(0))) {
            var key = new Key(pointer.address(), buffer.limit());
            FlatView view = byAddress.get(key);
            if (view == null) {
                view = new FlatView(torch.from_blob(pointer, buffer.limit()));
                byAddress.put(key, view);
                forgetEldest();
            }
            return view;
        }
    }

    private void forgetEldest() {
        if (byAddress.size() > ENTRIES_MAX) {
            var entries = byAddress.values().iterator();
            entries.next().close();
            entries.remove();
        }
    }

    @Override
    public void close() {
        byAddress.values().forEach(FlatView::close);
        byAddress.clear();
    }
}
