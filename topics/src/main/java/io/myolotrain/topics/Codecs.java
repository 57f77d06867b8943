package io.myolotrain.topics;

import io.myolotrain.schemas.ConfluentRegistry;
import io.myolotrain.schemas.SchemaRegistry;
import java.util.Map;
import java.util.TreeMap;

/** One codec per topic over one registry connection. Thread-safe. */
public final class Codecs implements AutoCloseable {
    private final SchemaRegistry registry;
    private final Map<String, TopicCodec<?>> byTopic = new TreeMap<>();

    private Codecs(SchemaRegistry registry) {
        this.registry = registry;
        for (Topic<?> topic : Topics.all()) {
            byTopic.put(topic.name(), TopicCodec.of(topic, registry));
        }
    }

    public static Codecs of(SchemaRegistry registry) {
        return new Codecs(registry);
    }

    /** Connects at the first use, not here. */
    public static Codecs of(Connection connection) {
        return of(ConfluentRegistry.connect(connection.registryUrl(), connection.registrySettings()));
    }

    @SuppressWarnings("unchecked") // put under this topic's name with this topic's type
    public <V> TopicCodec<V> of(Topic<V> topic) {
        TopicCodec<?> codec = byTopic.get(topic.name());
        if (codec == null) {
            throw new IllegalArgumentException("a topic must be in the catalogue: topic=" + topic);
        }
        return (TopicCodec<V>) codec;
    }

    SchemaRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        registry.close();
    }
}
