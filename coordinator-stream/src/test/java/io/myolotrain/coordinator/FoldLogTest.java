package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

class FoldLogTest {
    private static final PoolId POOL = new PoolId("a");
    private static final PoolId OTHER = new PoolId("a-b");
    private final KeyValueStore<String, byte[]> store = TestStores.inMemory(Serdes.ByteArray());

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private List<String> keys() {
        var keys = new ArrayList<String>();
        try (KeyValueIterator<String, byte[]> all = store.all()) {
            all.forEachRemaining((KeyValue<String, byte[]> entry) -> keys.add(entry.key));
        }
        return keys;
    }

    @Test
    void what_was_appended_comes_back_in_the_order_of_offsets_pool_by_pool() {
        var log = new FoldLog(store);
        log.append(POOL, 255, new byte[] {1});
        log.append(POOL, 4_096, new byte[] {2});
        log.append(OTHER, 1, new byte[] {3});
        log.append(POOL, 70_000, new byte[] {});

        var kept = new FoldLog(store).recall();

        assertThat(kept).containsOnlyKeys(POOL, OTHER);
        FoldLog.Kept of = kept.getOrDefault(POOL, new FoldLog.Kept(Optional.empty(), new TreeMap<>()));
        assertThat(of.snapshot()).isEmpty();
        assertThat(of.tail().keySet()).containsExactly(255L, 4_096L, 70_000L);
        assertThat(of.tail().get(70_000L)).isEmpty();
    }

    @Test
    void a_snapshot_takes_the_place_of_the_older_one_and_of_all_facts_before_it() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        var random = new Random(seed);
        var log = new FoldLog(store);
        byte[] big = bytes(random, 3 * FoldLog.PIECE_BYTES_MAX);
        byte[] facts = bytes(random, FoldLog.PIECE_BYTES_MAX + 1);
        log.append(POOL, 1, facts);
        log.snapshot(POOL, 1, big);
        assertThat(keys()).hasSize(4);

        byte[] small = bytes(random, 10);
        log.append(POOL, 2, facts);
        log.snapshot(POOL, 2, small);
        log.append(POOL, 3, facts);

        assertThat(keys()).hasSize(3);
        FoldLog.Kept kept = new FoldLog(store).recall().get(POOL);
        assertThat(kept.snapshot()).hasValueSatisfying(snapshot -> {
            assertThat(snapshot.offset()).isEqualTo(2);
            assertThat(snapshot.state()).isEqualTo(small);
        });
        assertThat(kept.tail()).containsOnlyKeys(3L);
        assertThat(kept.tail().get(3L)).isEqualTo(facts);
    }

    @Test
    void a_log_that_was_recalled_cleans_up_what_its_former_self_wrote() {
        var before = new FoldLog(store);
        before.snapshot(POOL, 1, new byte[2 * FoldLog.PIECE_BYTES_MAX]);
        before.append(POOL, 2, new byte[] {1});
        var after = new FoldLog(store);
        after.recall();

        after.snapshot(POOL, 2, new byte[] {9});

        assertThat(keys()).containsExactly("a/s/0000");
    }

    @Test
    void no_piece_is_larger_than_a_changelog_record_may_be() {
        var log = new FoldLog(store);
        log.snapshot(POOL, 1, new byte[5 << 20]);
        log.append(POOL, 2, new byte[2 << 20]);

        try (KeyValueIterator<String, byte[]> all = store.all()) {
            all.forEachRemaining(entry -> assertThat(entry.value).hasSizeLessThanOrEqualTo(FoldLog.PIECE_BYTES_MAX));
        }
    }
}
