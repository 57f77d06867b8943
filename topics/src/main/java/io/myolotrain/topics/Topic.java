package io.myolotrain.topics;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One topic as this release wants it; see {@link Topics} for the catalogue.
 *
 * @param <V> type of its values, in core's vocabulary
 */
public final class Topic<V> {
    private final String name;
    private final String key;
    private final int partitions;
    private final SortedMap<String, String> configs;
    private final AvroMapping<V, ?> mapping;

    Topic(String name, String key, int partitions, SortedMap<String, String> configs, AvroMapping<V, ?> mapping) {
        this.name = name;
        this.key = key;
        this.partitions = partitions;
        this.configs = Collections.unmodifiableSortedMap(new TreeMap<>(configs));
        this.mapping = mapping;
    }

    public String name() {
        return name;
    }

    /** What the UTF-8 key says, for people. */
    public String key() {
        return key;
    }

    public int partitions() {
        return partitions;
    }

    /** Topic settings that matter to us, by Kafka's names. */
    public SortedMap<String, String> configs() {
        return configs;
    }

    AvroMapping<V, ?> mapping() {
        return mapping;
    }

    @Override
    public String toString() {
        return name;
    }
}
