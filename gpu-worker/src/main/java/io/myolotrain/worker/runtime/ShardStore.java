package io.myolotrain.worker.runtime;

import io.myolotrain.core.training.ParameterLayout.Shard;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Adam moments of the shards that this worker owns: {@code 2 × length} floats each, first moments then second, outside the
 * heap. Used by the step loop's thread alone.
 */
final class ShardStore {
    private final List<Shard> shards;
    private final Map<Integer, ByteBuffer> moments = new TreeMap<>();

    ShardStore(List<Shard> shards) {
        this.shards = List.copyOf(shards);
    }

    Set<Integer> held() {
        return Set.copyOf(moments.keySet());
    }

    boolean holds(int shard) {
        return moments.containsKey(shard);
    }

    /** The shard's moments as bytes, for the wire. */
    ByteBuffer bytes(int shard) {
        ByteBuffer held = moments.get(shard);
        if (held == null) {
            throw new IllegalStateException(
                    "shard must be held to be used: shard=" + shard + " held=" + moments.keySet());
        }
        return held.duplicate().order(ByteOrder.nativeOrder()).clear();
    }

    FloatBuffer floats(int shard) {
        return bytes(shard).asFloatBuffer();
    }

    /** Zeroed room for a shard: what moments are before the first step, and where arriving ones are received. */
    ByteBuffer newBuffer(int shard) {
        int bytes = Math.toIntExact(shards.get(shard).momentBytes());
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** From now on the shard is held here. Only whole shards are accepted: a broken transfer leaves nothing behind. */
    void accept(int shard, ByteBuffer complete) {
        moments.put(shard, complete);
    }

    void retain(Set<Integer> owned) {
        moments.keySet().retainAll(owned);
    }

    void clear() {
        moments.clear();
    }

    long bytesHeld() {
        return moments.values().stream().mapToLong(ByteBuffer::capacity).sum();
    }

    /** One bit per shard, 64 to a word: what {@link #held} says, for the wire. */
    long[] bitmap() {
        long[] words = new long[(shards.size() + Long.SIZE - 1) / Long.SIZE];
        for (int shard : moments.keySet()) {
            words[shard / Long.SIZE] |= 1L << (shard % Long.SIZE);
        }
        return words;
    }

    static boolean bit(long[] bitmap, int shard) {
        return (bitmap[shard / Long.SIZE] >>> (shard % Long.SIZE) & 1) != 0;
    }
}
