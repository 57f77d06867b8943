package io.myolotrain.topics;

import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.schemas.avro.ShardPlacement;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Owners as indices: a plan of 65,536 shards with two owners each takes 200 to 330 kB instead of megabytes of names.
 *
 * <pre>
 *  owners = { count, index … } per shard, each number an unsigned LEB128 varint; primary first
 * </pre>
 */
final class ShardPlacementMapping {
    private static final int VARINT_BYTES_MAX = 5;

    private ShardPlacementMapping() {}

    static ShardPlacement toAvro(ShardMap map) {
        Map<WorkerId, Integer> indices = new LinkedHashMap<>();
        var owners = new ByteArrayOutputStream(4 * map.shards());
        for (List<WorkerId> shard : map.owners()) {
            writeVarint(owners, shard.size());
            for (WorkerId owner : shard) {
                Integer known = indices.putIfAbsent(owner, indices.size());
                writeVarint(owners, known == null ? indices.size() - 1 : known);
            }
        }
        var workers = new ArrayList<String>(indices.size());
        indices.keySet().forEach(worker -> workers.add(worker.value()));
        return new ShardPlacement(workers, map.shards(), ByteBuffer.wrap(owners.toByteArray()));
    }

    static ShardMap toCore(ShardPlacement placement) {
        var workers = new ArrayList<WorkerId>(placement.getWorkers().size());
        placement.getWorkers().forEach(worker -> workers.add(new WorkerId(worker)));
        ByteBuffer owners = placement.getOwners().duplicate();
        checkFits("shards", placement.getShards(), owners);
        var map = new ArrayList<List<WorkerId>>(placement.getShards());
        for (int shard = 0; shard < placement.getShards(); shard++) {
            int count = readVarint(owners);
            checkFits("owners of shard " + shard, count, owners);
            var of = new ArrayList<WorkerId>(count);
            for (int i = 0; i < count; i++) {
                int index = readVarint(owners);
                if (index >= workers.size()) {
                    throw new IllegalArgumentException("an owner must be an index into workers: shard=" + shard
                            + " index=" + index + " workers=" + workers.size());
                }
                of.add(workers.get(index));
            }
            map.add(of);
        }
        if (owners.hasRemaining()) {
            throw new IllegalArgumentException("owners must end with the last shard: shards=" + placement.getShards()
                    + " left=" + owners.remaining());
        }
        return new ShardMap(map);
    }

    /** Each number takes a byte at least: a count above that is a lie, and must not size an array. */
    private static void checkFits(String what, int count, ByteBuffer owners) {
        if (count < 0 || count > owners.remaining()) {
            throw new IllegalArgumentException(
                    "the number of " + what + " must fit its bytes: count=" + count + " bytes=" + owners.remaining());
        }
    }

    private static void writeVarint(ByteArrayOutputStream out, int value) {
        int rest = value;
        while (rest >= 0x80) {
            out.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
    }

    private static int readVarint(ByteBuffer in) {
        int value = 0;
        for (int i = 0; i < VARINT_BYTES_MAX && in.hasRemaining(); i++) {
            byte next = in.get();
            value |= (next & 0x7f) << (7 * i);
            if (next >= 0) {
                if (value < 0) {
                    break;
                }
                return value;
            }
        }
        throw new IllegalArgumentException(
                "owners must be varints of at most " + VARINT_BYTES_MAX + " bytes and 31 bits: at=" + in.position());
    }
}
