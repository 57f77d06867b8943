package io.myolotrain.coordinator;

import io.myolotrain.core.model.PoolId;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * What a fold needs to go on after a restart: per pool the last snapshot of its state and, behind it, the facts of each
 * decision since. An event that changes a number writes its own facts, never the whole state again. The store's changelog
 * commits with the input offset in one transaction, so what is read back is the fold up to exactly that offset.
 *
 * <pre>
 * pool/s/piece          → 8 bytes journal offset, then the state (in the first piece; the others hold state only)
 * pool/t/offset/piece   → facts of the decision at that journal offset
 * </pre>
 *
 * Values are cut into pieces because a changelog record must stay below the broker's message limit.
 */
final class FoldLog {
    static final int PIECE_BYTES_MAX = 512 << 10;

    private final KeyValueStore<String, byte[]> store;
    private final SortedMap<PoolId, List<String>> tailKeys = new TreeMap<>();
    private final SortedMap<PoolId, Integer> snapshotPieces = new TreeMap<>();

    /** @param tail facts by journal offset, all later than the snapshot */
    record Kept(Optional<Snapshot> snapshot, SortedMap<Long, byte[]> tail) {}

    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    record Snapshot(long offset, byte[] state) {}

    FoldLog(KeyValueStore<String, byte[]> store) {
        this.store = store;
    }

    /** Reads everything back; call once, before the first write. */
    SortedMap<PoolId, Kept> recall() {
        var snapshots = new TreeMap<PoolId, ByteArrayOutputStream>();
        var tails = new TreeMap<PoolId, TreeMap<Long, ByteArrayOutputStream>>();
        try (KeyValueIterator<String, byte[]> all = store.all()) {
            while (all.hasNext()) {
                KeyValue<String, byte[]> entry = all.next();
                String[] path = entry.key.split("/", 4);
                var pool = new PoolId(path[0]);
                if (path[1].equals("s")) {
                    snapshots
                            .computeIfAbsent(pool, p -> new ByteArrayOutputStream())
                            .writeBytes(entry.value);
                    snapshotPieces.merge(pool, 1, Integer::sum);
                } else {
                    tails.computeIfAbsent(pool, p -> new TreeMap<>())
                            .computeIfAbsent(Long.parseLong(path[2], 16), o -> new ByteArrayOutputStream())
                            .writeBytes(entry.value);
                    tailKeys.computeIfAbsent(pool, p -> new ArrayList<>()).add(entry.key);
                }
            }
        }
        var kept = new TreeMap<PoolId, Kept>();
        var pools = new TreeSet<PoolId>(snapshots.keySet());
        pools.addAll(tails.keySet());
        for (PoolId pool : pools) {
            var tail = new TreeMap<Long, byte[]>();
            tails.getOrDefault(pool, new TreeMap<>()).forEach((offset, bytes) -> tail.put(offset, bytes.toByteArray()));
            kept.put(pool, new Kept(Optional.ofNullable(snapshots.get(pool)).map(FoldLog::snapshot), tail));
        }
        return kept;
    }

    void append(PoolId pool, long offset, byte[] facts) {
        List<String> keys = tailKeys.computeIfAbsent(pool, p -> new ArrayList<>());
        String prefix = pool + "/t/" + String.format("%016x", offset);
        for (int piece = 0; piece == 0 || piece * PIECE_BYTES_MAX < facts.length; piece++) {
            String key = prefix + pieceSuffix(piece);
            store.put(key, piece(facts, piece));
            keys.add(key);
        }
    }

    /** Entries behind the last snapshot. */
    int tailLength(PoolId pool) {
        return tailKeys.getOrDefault(pool, List.of()).size();
    }

    /** Takes the place of the older snapshot and of all facts appended so far. */
    void snapshot(PoolId pool, long offset, byte[] state) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES + state.length)
                .putLong(offset)
                .put(state)
                .array();
        int pieces = 0;
        for (; pieces * PIECE_BYTES_MAX < bytes.length; pieces++) {
            store.put(pool + "/s" + pieceSuffix(pieces), piece(bytes, pieces));
        }
        for (int old = pieces; old < snapshotPieces.getOrDefault(pool, 0); old++) {
            store.delete(pool + "/s" + pieceSuffix(old));
        }
        snapshotPieces.put(pool, pieces);
        tailKeys.getOrDefault(pool, List.of()).forEach(store::delete);
        tailKeys.remove(pool);
    }

    private static Snapshot snapshot(ByteArrayOutputStream pieces) {
        ByteBuffer bytes = ByteBuffer.wrap(pieces.toByteArray());
        long offset = bytes.getLong();
        byte[] state = new byte[bytes.remaining()];
        bytes.get(state);
        return new Snapshot(offset, state);
    }

    // Four hexadecimal digits: pieces sort in their order, and 32 GiB fit.
    private static String pieceSuffix(int piece) {
        return "/" + String.format("%04x", piece);
    }

    private static byte[] piece(byte[] bytes, int piece) {
        int from = piece * PIECE_BYTES_MAX;
        return Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + PIECE_BYTES_MAX));
    }
}
