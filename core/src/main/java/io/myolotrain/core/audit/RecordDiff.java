package io.myolotrain.core.audit;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Names where two values of the model differ, component by component. */
final class RecordDiff {
    private static final int LINES_MAX = 20; // further differences are counted
    private static final int VALUE_MAX = 160; // characters

    private final List<String> lines = new ArrayList<>();
    private int more;

    private RecordDiff() {}

    /** Lines {@code path: recorded=… replayed=…}, empty when the values are equal. */
    static List<String> between(String path, Object recorded, Object replayed) {
        var diff = new RecordDiff();
        diff.compare(path, recorded, replayed);
        if (diff.more > 0) {
            diff.lines.add("and " + diff.more + " more");
        }
        return List.copyOf(diff.lines);
    }

    private void compare(String path, Object recorded, Object replayed) {
        if (recorded.equals(replayed)) {
            return;
        }
        if (recorded.getClass() == replayed.getClass() && recorded.getClass().isRecord()) {
            for (RecordComponent component : recorded.getClass().getRecordComponents()) {
                compare(path + "." + component.getName(), valueOf(component, recorded), valueOf(component, replayed));
            }
        } else if (recorded instanceof List<?> a && replayed instanceof List<?> b) {
            lists(path, a, b);
        } else if (recorded instanceof SortedMap<?, ?> a && replayed instanceof SortedMap<?, ?> b) {
            maps(path, a, b);
        } else if (recorded instanceof Optional<?> a
                && replayed instanceof Optional<?> b
                && a.isPresent()
                && b.isPresent()) {
            compare(path, a.get(), b.get());
        } else {
            add(path + ": recorded=" + shown(recorded) + " replayed=" + shown(replayed));
        }
    }

    private void lists(String path, List<?> recorded, List<?> replayed) {
        int both = Math.min(recorded.size(), replayed.size());
        for (int i = 0; i < both; i++) {
            compare(path + "[" + i + "]", recorded.get(i), replayed.get(i));
        }
        recorded.stream().skip(both).forEach(item -> add(path + ": only recorded: " + shown(item)));
        replayed.stream().skip(both).forEach(item -> add(path + ": only replayed: " + shown(item)));
    }

    private void maps(String path, SortedMap<?, ?> recorded, SortedMap<?, ?> replayed) {
        var left = new TreeMap<Object, Object>();
        left.putAll(replayed);
        recorded.forEach((key, value) -> {
            Object other = left.remove(key);
            if (other == null) {
                add(path + "[" + key + "]: only recorded: " + shown(value));
            } else {
                compare(path + "[" + key + "]", value, other);
            }
        });
        left.forEach((key, value) -> add(path + "[" + key + "]: only replayed: " + shown(value)));
    }

    private void add(String line) {
        if (lines.size() < LINES_MAX) {
            lines.add(line);
        } else {
            more++;
        }
    }

    private static String shown(Object value) {
        String text = value.toString();
        return text.length() <= VALUE_MAX ? text : text.substring(0, VALUE_MAX) + "…";
    }

    private static Object valueOf(RecordComponent component, Object of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("records of the model are public: component=" + component, e);
        }
    }
}
