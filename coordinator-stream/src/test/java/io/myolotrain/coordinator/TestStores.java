package io.myolotrain.coordinator;

import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** Stores without a topology around them. */
final class TestStores {
    private TestStores() {}

    static <V> KeyValueStore<String, V> inMemory(Serde<V> value) {
        KeyValueStore<String, V> store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore("test"), Serdes.String(), value)
                .withLoggingDisabled()
                .withCachingDisabled()
                .build();
        store.init(new MockProcessorContext<Void, Void>().getStateStoreContext(), store);
        return store;
    }
}
