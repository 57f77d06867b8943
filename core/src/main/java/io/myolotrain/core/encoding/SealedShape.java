package io.myolotrain.core.encoding;

import java.util.ArrayList;
import java.util.List;

/** A sealed type: the simple name of the record, then the record. */
final class SealedShape implements Shape {
    private final Class<?> type;
    private final Shapes shapes;
    private final List<Class<?>> records = new ArrayList<>();

    SealedShape(Class<?> type, Shapes shapes) {
        this.type = type;
        this.shapes = shapes;
        collect(type);
    }

    private void collect(Class<?> of) {
        for (Class<?> permitted : of.getPermittedSubclasses()) {
            if (permitted.isSealed()) {
                collect(permitted);
            } else if (permitted.isRecord()) {
                records.add(permitted);
            } else {
                throw new IllegalArgumentException("a sealed type that is encoded permits records: type=" + permitted);
            }
        }
        if (records.stream().map(Class::getSimpleName).distinct().count() != records.size()) {
            throw new IllegalArgumentException("records of a sealed type have distinct simple names: type=" + of);
        }
    }

    @Override
    public void write(Object value, ByteSink sink) {
        sink.text(value.getClass().getSimpleName());
        shapes.of(value.getClass()).write(value, sink);
    }

    @Override
    public Object read(ByteSource source) {
        String name = source.text();
        for (Class<?> permitted : records) {
            if (permitted.getSimpleName().equals(name)) {
                return shapes.of(permitted).read(source);
            }
        }
        throw new MalformedEncodingException(
                "unknown kind of " + type.getSimpleName() + ": kind length=" + name.length());
    }
}
