package io.myolotrain.worker.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.core.training.ParameterLayout.Shard;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardStoreTest {
    private static final List<Shard> SHARDS =
            IntStream.range(0, 130).mapToObj(i -> new Shard(i, i * 4, 4)).toList();

    private final ShardStore store = new ShardStore(SHARDS);

    @Test
    void aShardIsHeldOnlyOnceItIsAccepted() {
        var arriving = store.newBuffer(65);
        assertThat(store.holds(65)).isFalse();
        store.accept(65, arriving);
        assertThat(store.holds(65)).isTrue();
        assertThat(store.floats(65).remaining()).isEqualTo(8);
    }

    @Test
    void theBitmapSaysWhatIsHeldBeyondTheFirstWord() {
        store.accept(0, store.newBuffer(0));
        store.accept(129, store.newBuffer(129));
        long[] bitmap = store.bitmap();
        assertThat(IntStream.range(0, 130).filter(s -> ShardStore.bit(bitmap, s)))
                .containsExactly(0, 129);
    }

    @Test
    void whatIsNotOwnedIsDropped() {
        store.accept(1, store.newBuffer(1));
        store.accept(2, store.newBuffer(2));
        store.retain(Set.of(2));
        assertThat(store.held()).containsExactly(2);
        assertThat(store.bytesHeld()).isEqualTo(32);
        assertThatThrownBy(() -> store.floats(1)).hasMessageContaining("shard=1");
    }
}
