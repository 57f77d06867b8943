package io.myolotrain.core.encoding;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;

/** A record: its components in order. Shapes of components are looked up at first use, so that types may refer to each other. */
final class RecordShape implements Shape {
    private final Class<?> type;
    private final Shapes shapes;
    private final Type[] componentTypes;
    private final MethodHandle[] accessors;
    private final MethodHandle constructor;

    RecordShape(Class<?> type, Shapes shapes) {
        this.type = type;
        this.shapes = shapes;
        RecordComponent[] components = type.getRecordComponents();
        componentTypes = new Type[components.length];
        accessors = new MethodHandle[components.length];
        Class<?>[] parameters = new Class<?>[components.length];
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            for (int i = 0; i < components.length; i++) {
                componentTypes[i] = components[i].getGenericType();
                parameters[i] = components[i].getType();
                accessors[i] = lookup.unreflect(components[i].getAccessor())
                        .asType(MethodType.methodType(Object.class, Object.class));
            }
            constructor = lookup.findConstructor(type, MethodType.methodType(void.class, parameters))
                    .asSpreader(Object[].class, parameters.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("a record that is encoded is public: type=" + type.getName(), e);
        }
    }

    @Override
    public void write(Object value, ByteSink sink) {
        for (int i = 0; i < accessors.length; i++) {
            shapes.of(componentTypes[i]).write(component(value, i), sink);
        }
    }

    private Object component(Object value, int i) {
        try {
            return accessors[i].invokeExact(value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a record's accessor does not fail: type=" + type.getName(), e);
        }
    }

    @Override
    public Object read(ByteSource source) {
        Object[] values = new Object[accessors.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = shapes.of(componentTypes[i]).read(source);
        }
        try {
            return constructor.invokeExact(values);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new MalformedEncodingException("a decoded " + type.getSimpleName() + " keeps its rules", e);
        }
    }
}
