package io.myolotrain.core.encoding;

/** An enum by name, so that constants may be reordered. */
final class EnumShape implements Shape {
    private final Class<?> type;
    private final Object[] constants;

    EnumShape(Class<?> type) {
        this.type = type;
        this.constants = type.getEnumConstants();
    }

    @Override
    public void write(Object value, ByteSink sink) {
        sink.text(((Enum<?>) value).name());
    }

    @Override
    public Object read(ByteSource source) {
        String name = source.text();
        for (Object constant : constants) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new MalformedEncodingException(
                "unknown value of " + type.getSimpleName() + ": name length=" + name.length());
    }
}
