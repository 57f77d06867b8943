package io.myolotrain.core.encoding;

import io.myolotrain.core.encoding.CanonicalCodec.Shortcut;

/** Writes the bytes that stand for a value; for digests only. */
record ShortcutShape(Shortcut shortcut) implements Shape {
    @Override
    public void write(Object value, ByteSink sink) {
        sink.raw(shortcut.bytesFor(value));
    }

    @Override
    public Object read(ByteSource source) {
        throw new UnsupportedOperationException("what a shortcut stands for cannot be decoded");
    }
}
