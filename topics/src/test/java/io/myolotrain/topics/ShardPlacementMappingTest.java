package io.myolotrain.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.schemas.avro.ShardPlacement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShardPlacementMappingTest {

    @Test
    void sixtyFiveThousandShardsOnAThousandWorkersTakeLessThan350KBAndComeBack() {
        var random = new Random(1);
        var owners = new ArrayList<List<WorkerId>>();
        for (int shard = 0; shard < 65_536; shard++) {
            owners.add(List.of(worker(random.nextInt(1_000)), worker(random.nextInt(1_000))));
        }
        var map = new ShardMap(owners);

        ShardPlacement placement = ShardPlacementMapping.toAvro(map);

        assertThat(placement.getOwners().remaining()).isLessThan(350_000);
        assertThat(ShardPlacementMapping.toCore(placement)).isEqualTo(map);
    }

    @Test
    void anEmptyMapComesBackEmpty() {
        assertThat(ShardPlacementMapping.toCore(ShardPlacementMapping.toAvro(ShardMap.EMPTY)))
                .isEqualTo(ShardMap.EMPTY);
    }

    @Test
    void countsAndIndicesThatLieAreRefusedBeforeTheySizeAnything() {
        assertRefused(Integer.MAX_VALUE, "the number of shards must fit its bytes", 1, 0);
        assertRefused(-1, "the number of shards must fit its bytes", 1, 0);
        assertRefused(1, "the number of owners of shard 0 must fit", 100, 0);
        assertRefused(1, "an owner must be an index into workers", 1, 3);
        assertRefused(1, "owners must end with the last shard", 1, 0, 0);
        assertRefused(1, "owners must be varints", 0x80, 0x80, 0x80, 0x80, 0x80, 1);
        assertRefused(1, "owners must be varints", 0xff, 0xff, 0xff, 0xff, 0x0f);
        assertRefused(1, "owners must be varints", 0x80);
    }

    private static void assertRefused(int shards, String rule, int... owners) {
        byte[] bytes = new byte[owners.length];
        for (int i = 0; i < owners.length; i++) {
            bytes[i] = (byte) owners[i];
        }
        var placement = new ShardPlacement(List.of("w0", "w1"), shards, ByteBuffer.wrap(bytes));
        assertThatThrownBy(() -> ShardPlacementMapping.toCore(placement))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(rule);
    }

    private static WorkerId worker(int index) {
        return new WorkerId("worker-" + index);
    }
}
