package io.myolotrain.core.encoding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Lists, optionals and sorted maps. */
final class ContainerShapes {
    private ContainerShapes() {}

    record OfList(Shape element) implements Shape {
        @Override
        public void write(Object value, ByteSink sink) {
            List<?> list = (List<?>) value;
            sink.varint(list.size());
            for (Object item : list) {
                element.write(item, sink);
            }
        }

        @Override
        public Object read(ByteSource source) {
            int count = source.length();
            var list = new ArrayList<Object>(Math.min(count, 1_024)); // grows with what is really there
            for (int i = 0; i < count; i++) {
                list.add(element.read(source));
            }
            return List.copyOf(list);
        }
    }

    record OfOptional(Shape element) implements Shape {
        @Override
        public void write(Object value, ByteSink sink) {
            Optional<?> optional = (Optional<?>) value;
            sink.u8(optional.isPresent() ? 1 : 0);
            optional.ifPresent(item -> element.write(item, sink));
        }

        @Override
        public Object read(ByteSource source) {
            int present = source.u8();
            if (present > 1) {
                throw new MalformedEncodingException("an optional is 0 or 1: value=" + present);
            }
            return present == 1 ? Optional.of(element.read(source)) : Optional.empty();
        }
    }

    record OfSortedMap(Shape key, Shape element) implements Shape {
        @Override
        public void write(Object value, ByteSink sink) {
            SortedMap<?, ?> map = (SortedMap<?, ?>) value;
            sink.varint(map.size());
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                key.write(entry.getKey(), sink);
                element.write(entry.getValue(), sink);
            }
        }

        @Override
        public Object read(ByteSource source) {
            int count = source.length();
            var map = new TreeMap<Object, Object>();
            for (int i = 0; i < count; i++) {
                Object k = key.read(source);
                boolean ascends = map.isEmpty() || precedes(map.lastKey(), k);
                if (!ascends) {
                    throw new MalformedEncodingException("keys ascend: key=" + k + " after=" + map.lastKey());
                }
                map.put(k, element.read(source));
            }
            return Collections.unmodifiableSortedMap(map);
        }

        @SuppressWarnings("unchecked")
        private static boolean precedes(Object earlier, Object later) {
            return ((Comparable<Object>) earlier).compareTo(later) < 0;
        }
    }
}
