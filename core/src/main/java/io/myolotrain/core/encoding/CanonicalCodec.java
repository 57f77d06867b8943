package io.myolotrain.core.encoding;

import java.util.Optional;

/**
 * Encodes records by their components, in order. Nothing else takes part: no field names, no hash order, no addresses.
 *
 * <pre>
 *  int, long        zig-zag LEB128          Optional   0 | 1 value
 *  double           8 bytes, one NaN        List       count, elements
 *  boolean          0 | 1                   SortedMap  count, keys and values in key order
 *  String, enum     length, UTF-8           record     components
 *  sealed type      simple name of the record, then its components
 * </pre>
 *
 * Thread-safe. Decoding checks every length, name and invariant, and that nothing is left over.
 */
public final class CanonicalCodec {
    private final Shapes shapes;

    public CanonicalCodec() {
        this(type -> Optional.empty());
    }

    /**
     * A codec that writes something shorter in place of some records, for digests. What it writes cannot be decoded.
     *
     * @param shortcuts per record class, how to make the bytes that stand for a value
     */
    public CanonicalCodec(Shortcuts shortcuts) {
        shapes = new Shapes(shortcuts);
    }

    @FunctionalInterface
    public interface Shortcuts {
        Optional<Shortcut> of(Class<?> type);
    }

    @FunctionalInterface
    public interface Shortcut {
        byte[] bytesFor(Object value);
    }

    public <T> byte[] encode(T value, Class<T> type) {
        var sink = new ByteSink();
        shapes.of(type).write(value, sink);
        return sink.toBytes();
    }

    public <T> T decode(byte[] bytes, Class<T> type) {
        var source = new ByteSource(bytes);
        T value = type.cast(shapes.of(type).read(source));
        source.expectEnd();
        return value;
    }
}
