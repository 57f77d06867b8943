package io.myolotrain.coordinator;

import io.myolotrain.core.model.PoolId;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The event ids that have passed in each pool of a partition, kept as {@code pool/slot → number/id}: one write per event,
 * and no more entries than slots. Two copies of an event are told apart here and nowhere else, whatever a producer says
 * of its own idempotence.
 */
final class RememberedIds {
    /** Pools come from outside: a partition that serves more is being flooded. */
    static final int POOLS_MAX = 256;

    private final KeyValueStore<String, String> store;
    private final int idsPerPool;
    private final SortedMap<PoolId, Deduplication> byPool = new TreeMap<>();

    RememberedIds(KeyValueStore<String, String> store, int idsPerPool) {
        this.store = store;
        this.idsPerPool = idsPerPool;
        var kept = new TreeMap<PoolId, SortedMap<Long, String>>();
        try (KeyValueIterator<String, String> all = store.all()) {
            while (all.hasNext()) {
                KeyValue<String, String> entry = all.next();
                PoolId pool = new PoolId(entry.key.substring(0, entry.key.indexOf('/')));
                int slash = entry.value.indexOf('/');
                kept.computeIfAbsent(pool, p -> new TreeMap<>())
                        .put(Long.parseLong(entry.value.substring(0, slash)), entry.value.substring(slash + 1));
            }
        }
        kept.forEach((pool, ids) -> byPool.put(pool, Deduplication.recalled(idsPerPool, ids)));
    }

    boolean serves(PoolId pool) {
        return byPool.containsKey(pool) || byPool.size() < POOLS_MAX;
    }

    /** Whether the event passes here for the first time; it is remembered from now on. */
    boolean firstTime(PoolId pool, String id) {
        Deduplication memory = byPool.computeIfAbsent(pool, p -> new Deduplication(idsPerPool));
        OptionalLong number = memory.remember(id);
        number.ifPresent(n -> store.put(pool + "/" + memory.slot(n), n + "/" + id));
        return number.isPresent();
    }
}
