package io.myolotrain.topics;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecordBase;

/** The cases of one sealed type of core, each paired with its Avro record. */
final class BodyMapping<V> {
    private final Map<String, Function<V, SpecificRecordBase>> toAvro = new TreeMap<>();
    private final Map<String, Function<SpecificRecordBase, V>> fromAvro = new TreeMap<>();

    <C extends V, A extends SpecificRecordBase> BodyMapping<V> pair(
            Class<C> core, Class<A> avro, Function<C, A> toAvro, Function<A, C> fromAvro) {
        this.toAvro.put(core.getName(), value -> toAvro.apply(core.cast(value)));
        this.fromAvro.put(avro.getName(), record -> fromAvro.apply(avro.cast(record)));
        return this;
    }

    SpecificRecordBase toAvro(V value) {
        var mapping = toAvro.get(value.getClass().getName());
        if (mapping == null) {
            throw new IllegalStateException("every case must have an Avro record: case=" + value.getClass());
        }
        return mapping.apply(value);
    }

    V fromAvro(SpecificRecordBase body) {
        var mapping = fromAvro.get(body.getClass().getName());
        if (mapping == null) {
            throw new IllegalStateException("every Avro record must have a case: record=" + body.getClass());
        }
        return mapping.apply(body);
    }

    /** Names of the classes of core that have a pair, for the test that none is missing. */
    Set<String> coreTypes() {
        return toAvro.keySet();
    }
}
