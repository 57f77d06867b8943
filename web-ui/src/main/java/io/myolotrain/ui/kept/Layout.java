package io.myolotrain.ui.kept;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A fingerprint of everything that a record is made of, down to the names and types of the last component. What is encoded by
 * position alone must not be read by a release that puts something else in that place.
 */
final class Layout {
    private final TreeMap<String, String> descriptions = new TreeMap<>();

    private Layout() {}

    /** SHA-256 of names and types of all components of all records that can be reached. */
    static byte[] of(Class<?> type) {
        var layout = new Layout();
        layout.describe(type);
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(layout.descriptions.toString().getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private void describe(Type type) {
        if (type instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                describe(argument);
            }
        } else if (type instanceof Class<?> raw && !descriptions.containsKey(raw.getName())) {
            if (raw.isRecord()) {
                describeRecord(raw);
            } else if (raw.isSealed()) {
                describeSealed(raw);
            }
        }
    }

    private void describeRecord(Class<?> type) {
        descriptions.put(type.getName(), "");
        var components = new StringBuilder();
        for (RecordComponent component : type.getRecordComponents()) {
            components
                    .append(component.getName())
                    .append(' ')
                    .append(component.getGenericType().getTypeName())
                    .append(';');
            describe(component.getGenericType());
        }
        descriptions.put(type.getName(), components.toString());
    }

    private void describeSealed(Class<?> type) {
        Set<String> permitted = new TreeSet<>();
        for (Class<?> subclass : type.getPermittedSubclasses()) {
            permitted.add(subclass.getName());
        }
        descriptions.put(type.getName(), permitted.toString());
        for (Class<?> subclass : type.getPermittedSubclasses()) {
            describe(subclass);
        }
    }
}
