package io.myolotrain.cli.output;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records of core as maps, lists and numbers. An id (a record of one component that holds a plain value) becomes its
 * value; a case of a sealed type tells its name under {@code type}.
 */
public final class PlainValues {
    private PlainValues() {}

    public static @Nullable Object of(@Nullable Object value) {
        if (value == null || value instanceof String || value instanceof Boolean) {
            return value;
        }
        if (value instanceof Number number) {
            return finiteOrText(number);
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof Optional<?> optional) {
            return of(optional.orElse(null));
        }
        if (value instanceof Collection<?> items) {
            return items.stream().map(PlainValues::of).toList();
        }
        if (value instanceof Map<?, ?> map) {
            var plain = new LinkedHashMap<String, @Nullable Object>();
            map.forEach((key, item) -> plain.put(String.valueOf(of(key)), of(item)));
            return plain;
        }
        if (value instanceof byte[] bytes) {
            return bytes.length + " bytes";
        }
        return value instanceof Record fields ? ofRecord(fields) : value.toString();
    }

    /** JSON has no NaN and no infinities. */
    private static Object finiteOrText(Number number) {
        return Double.isFinite(number.doubleValue()) ? number : number.toString();
    }

    private static @Nullable Object ofRecord(Record value) {
        RecordComponent[] components = value.getClass().getRecordComponents();
        if (components.length == 1 && !isCase(value)) {
            return of(get(components[0], value));
        }
        var plain = new LinkedHashMap<String, @Nullable Object>();
        if (isCase(value)) {
            plain.put("type", value.getClass().getSimpleName());
        }
        for (RecordComponent component : components) {
            plain.put(component.getName(), of(get(component, value)));
        }
        return plain;
    }

    private static boolean isCase(Record value) {
        for (Class<?> type : value.getClass().getInterfaces()) {
            if (type.isSealed()) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Object get(RecordComponent component, Record value) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a record's component must be readable: " + component, e);
        }
    }
}
