package io.myolotrain.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The entries of one store, which outlive the test driver as a changelog outlives a process. */
final class Disk {
    private final TreeMap<Bytes, byte[]> entries = new TreeMap<>();

    KeyValueBytesStoreSupplier supplier(String name) {
        return new KeyValueBytesStoreSupplier() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public KeyValueStore<Bytes, byte[]> get() {
                return new Store(name);
            }

            @Override
            public String metricsScope() {
                return "test";
            }
        };
    }

    private final class Store implements KeyValueStore<Bytes, byte[]> {
        private final String name;
        private boolean open;

        Store(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void init(StateStoreContext context, StateStore root) {
            context.register(root, (key, value) -> put(new Bytes(key), value));
            open = true;
        }

        @Override
        public void put(Bytes key, byte @Nullable [] value) {
            if (value == null) {
                entries.remove(key);
            } else {
                entries.put(key, value);
            }
        }

        @Override
        public byte @Nullable [] putIfAbsent(Bytes key, byte[] value) {
            return entries.putIfAbsent(key, value);
        }

        @Override
        public void putAll(List<KeyValue<Bytes, byte[]>> all) {
            all.forEach(entry -> put(entry.key, entry.value));
        }

        @Override
        public byte @Nullable [] delete(Bytes key) {
            return entries.remove(key);
        }

        @Override
        public byte @Nullable [] get(Bytes key) {
            return entries.get(key);
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
            return over(new TreeMap<>(entries.subMap(from, true, to, true)));
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> all() {
            return over(entries);
        }

        @Override
        public long approximateNumEntries() {
            return entries.size();
        }

        @Override
        public void close() {
            open = false;
        }

        @Override
        public boolean persistent() {
            return false;
        }

        @Override
        public Position getPosition() {
            return Position.emptyPosition();
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        private KeyValueIterator<Bytes, byte[]> over(TreeMap<Bytes, byte[]> some) {
            var copy = new ArrayList<KeyValue<Bytes, byte[]>>();
            some.forEach((key, value) -> copy.add(KeyValue.pair(key, value)));
            var at = copy.listIterator();
            return new KeyValueIterator<>() {
                @Override
                public boolean hasNext() {
                    return at.hasNext();
                }

                @Override
                public KeyValue<Bytes, byte[]> next() {
                    return at.next();
                }

                @Override
                public Bytes peekNextKey() {
                    return copy.get(at.nextIndex()).key;
                }

                @Override
                public void close() {
                    // Nothing to release.
                }
            };
        }
    }
}
