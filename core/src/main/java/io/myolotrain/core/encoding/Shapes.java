package io.myolotrain.core.encoding;

import io.myolotrain.core.encoding.CanonicalCodec.Shortcuts;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/** Finds the shape of a type, once per type. */
final class Shapes {
    private final Map<Type, Shape> known = new ConcurrentHashMap<>(); // looked up only, never iterated
    private final Shortcuts shortcuts;

    Shapes(Shortcuts shortcuts) {
        this.shortcuts = shortcuts;
    }

    Shape of(Type type) {
        Shape shape = known.get(type);
        if (shape == null) {
            shape = make(type); // outside of computeIfAbsent: making one shape looks up others
            known.put(type, shape);
        }
        return shape;
    }

    private Shape make(Type type) {
        if (type instanceof ParameterizedType generic) {
            return generic(generic);
        }
        if (!(type instanceof Class<?> raw)) {
            throw unsupported(type);
        }
        if (raw.isRecord()) {
            Optional<CanonicalCodec.Shortcut> shortcut = shortcuts.of(raw);
            return shortcut.isPresent() ? new ShortcutShape(shortcut.get()) : new RecordShape(raw, this);
        }
        if (raw.isSealed()) {
            return new SealedShape(raw, this);
        }
        return raw.isEnum() ? new EnumShape(raw) : scalar(raw);
    }

    private Shape generic(ParameterizedType type) {
        Type[] arguments = type.getActualTypeArguments();
        if (type.getRawType() == List.class) {
            return new ContainerShapes.OfList(of(arguments[0]));
        }
        if (type.getRawType() == Optional.class) {
            return new ContainerShapes.OfOptional(of(arguments[0]));
        }
        if (type.getRawType() == SortedMap.class) {
            return new ContainerShapes.OfSortedMap(of(arguments[0]), of(arguments[1]));
        }
        throw unsupported(type);
    }

    private static Shape scalar(Class<?> type) {
        if (type == int.class || type == Integer.class) {
            return ScalarShapes.INT;
        }
        if (type == long.class || type == Long.class) {
            return ScalarShapes.LONG;
        }
        if (type == double.class || type == Double.class) {
            return ScalarShapes.DOUBLE;
        }
        if (type == boolean.class || type == Boolean.class) {
            return ScalarShapes.BOOLEAN;
        }
        if (type == String.class) {
            return ScalarShapes.TEXT;
        }
        throw unsupported(type);
    }

    private static IllegalArgumentException unsupported(Type type) {
        return new IllegalArgumentException(
                "a component is a number, boolean, String, enum, record, sealed type, List, Optional or SortedMap: type="
                        + type.getTypeName());
    }
}
