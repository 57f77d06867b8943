package io.myolotrain.core.encoding;

/** How values of one type are written and read. */
interface Shape {
    void write(Object value, ByteSink sink);

    Object read(ByteSource source);
}
