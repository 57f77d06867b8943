package io.myolotrain.core.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.Seeds;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.training.ParameterLayout.Shard;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardPlacementTest {
    private static final int RESIZES = 500;

    @Test
    void randomResizesMoveTheLowerBoundAndStayBalanced() {
        long seed = 7;
        var random = new Random(seed);
        List<WorkerInfo> pool = workers(64, 4);
        for (int shards : new int[] {1, 3, 10, 37, 512}) {
            for (int replicas = 1; replicas <= 3; replicas++) {
                resizes(seed, random, pool, shards, replicas, replicas == 2 ? RESIZES : RESIZES / 10);
            }
        }
    }

    private static void resizes(long seed, Random random, List<WorkerInfo> pool, int shards, int replicas, int count) {
        ShardMap map = ShardMap.EMPTY;
        int simpleBoundMissed = 0;
        for (int i = 0; i < count; i++) {
            var members = new ArrayList<>(pool);
            Collections.shuffle(members, random);
            List<WorkerInfo> chosen = members.subList(0, 1 + random.nextInt(members.size()));
            ShardMap next = ShardPlacement.place(map, shards, replicas, chosen);
            String run = "seed=" + seed + " shards=" + shards + " replicas=" + replicas + " resize=" + i;
            assertSound(next, shards, replicas, chosen, run);
            if (map.shards() != 0) {
                PlanDiff diff = PlanDiff.between(map, next, ids(chosen), shardsOf(shards));
                assertThat((long) diff.moves().size()).as(run).isEqualTo(diff.lowerBoundMoves());
                simpleBoundMissed += diff.moves().size() > simpleBound(map, next, chosen) ? 1 : 0;
            }
            map = next;
        }
        // The true bound exceeds the simple one only where there are few shards.
        assertThat(shards < 100 || simpleBoundMissed == 0)
                .as("simple bound missed=%s shards=%s", simpleBoundMissed, shards)
                .isTrue();
    }

    private static int simpleBound(ShardMap before, ShardMap after, List<WorkerInfo> chosen) {
        var indexes = ShardPlacement.indexes(ids(chosen));
        return MoveBound.simple(
                OwnerTable.of(before, indexes), after.owners().get(0).size());
    }

    @Test
    void oneWorkerMoreOrLessMovesOnlyItsShare() {
        List<WorkerInfo> pool = workers(11, 1);
        ShardMap ten = ShardPlacement.place(ShardMap.EMPTY, 1_000, 2, pool.subList(0, 10));
        ShardMap eleven = ShardPlacement.place(ten, 1_000, 2, pool);
        assertThat(moved(ten, eleven)).isEqualTo(2_000 / 11);
        ShardMap tenAgain = ShardPlacement.place(eleven, 1_000, 2, pool.subList(0, 10));
        assertThat(moved(eleven, tenAgain)).isEqualTo(2_000 / 11);
        ShardMap same = ShardPlacement.place(tenAgain, 1_000, 2, pool.subList(0, 10));
        assertThat(moved(tenAgain, same)).isZero();
    }

    /** Exhaustive search is the oracle: no balanced placement on the same workers moves fewer shards. */
    @Test
    void noBalancedPlacementMovesFewerShardsInSmallWorlds() {
        for (long seed : Seeds.of(3_000).toArray()) {
            var random = new Random(seed);
            int shards = 1 + random.nextInt(5);
            int replicas = 1 + random.nextInt(2);
            List<WorkerInfo> pool = workers(5, 2);
            ShardMap before = randomMap(random, shards, replicas, pool);
            Collections.shuffle(pool, random);
            List<WorkerInfo> members = pool.subList(0, 1 + random.nextInt(4));
            ShardMap after = ShardPlacement.place(before, shards, replicas, members);
            String run = "seed=" + seed + " before=" + before + " members=" + ids(members);
            assertSound(after, shards, replicas, members, run);
            int least = new ExhaustivePlacement(before, Math.min(replicas, members.size()), ids(members)).leastMoves();
            assertThat(moved(before, after)).as(run).isEqualTo(least);
            assertThat(PlanDiff.between(before, after, ids(members), shardsOf(shards))
                            .lowerBoundMoves())
                    .as(run)
                    .isEqualTo(least);
        }
    }

    @Test
    void ownersOfAShardLiveOnDistinctHostsWhereEachHostHasRoom() {
        for (int hosts = 2; hosts <= 4; hosts++) {
            assertApart(workers(12, hosts));
        }
    }

    /** A host that becomes unreachable takes all its workers along: with two owners on different hosts nothing is lost. */
    @Test
    void aWholeHostMayDieAndEveryShardHasAnOwnerLeftAlsoAfterResizes() {
        List<WorkerInfo> pool = workers(12, 3);
        ShardMap map = ShardMap.EMPTY;
        for (int size : new int[] {6, 12, 9, 3, 12}) {
            List<WorkerInfo> members = pool.subList(0, size); // as many on each host
            map = ShardPlacement.place(map, 512, 2, members);
            for (String host : List.of("host-0", "host-1", "host-2")) {
                List<WorkerId> left =
                        ids(members.stream().filter(w -> !w.host().equals(host)).toList());
                assertThat(map.owners()).as("workers=%s host=%s", size, host).allMatch(owners -> owners.stream()
                        .anyMatch(left::contains));
            }
        }
    }

    private static void assertApart(List<WorkerInfo> pool) {
        Map<WorkerId, String> hosts = new TreeMap<>();
        pool.forEach(w -> hosts.put(w.ref().id(), w.host()));
        ShardMap map = ShardPlacement.place(ShardMap.EMPTY, 4_096, 2, pool);
        long together = map.owners().stream()
                .filter(owners -> hosts.get(owners.get(0)).equals(hosts.get(owners.get(1))))
                .count();
        assertThat(together).isZero();
    }

    @Test
    void primariesAreBalancedForEveryNumberOfReplicas() {
        for (int replicas = 1; replicas <= 8; replicas++) {
            List<WorkerInfo> pool = workers(13, 1);
            assertSound(
                    ShardPlacement.place(ShardMap.EMPTY, 1_001, replicas, pool),
                    1_001,
                    replicas,
                    pool,
                    "r=" + replicas);
        }
    }

    @Test
    void placementIsAFunctionOfItsInputsAloneNotOfTheirOrder() {
        List<WorkerInfo> pool = workers(9, 3);
        ShardMap map = ShardPlacement.place(ShardMap.EMPTY, 300, 2, pool);
        var shuffled = new ArrayList<>(pool);
        Collections.shuffle(shuffled, new Random(3));
        assertThat(ShardPlacement.place(ShardMap.EMPTY, 300, 2, shuffled)).isEqualTo(map);
        assertThat(map.owners().get(0))
                .as("a change here moves shards of every running job")
                .hasSize(2);
    }

    @Test
    void aThousandWorkersAndSixtyFiveThousandShardsArePlacedAtTheLowerBound() {
        List<WorkerInfo> pool = workers(1_100, 25);
        ShardMap before = ShardPlacement.place(ShardMap.EMPTY, 65_536, 2, pool.subList(0, 1_000));
        ShardMap grown = ShardPlacement.place(before, 65_536, 2, pool);
        ShardMap shrunk = ShardPlacement.place(grown, 65_536, 2, pool.subList(300, 1_100));
        assertThat(moved(before, grown)).isEqualTo(simpleBound(before, grown, pool));
        assertThat(moved(grown, shrunk)).isEqualTo(simpleBound(grown, shrunk, pool.subList(300, 1_100)));
        assertSound(grown, 65_536, 2, pool, "grown");
        assertSound(shrunk, 65_536, 2, pool.subList(300, 1_100), "shrunk");
    }

    static void assertSound(ShardMap map, int shards, int replicas, List<WorkerInfo> members, String run) {
        int owners = Math.min(replicas, members.size());
        Map<WorkerId, Integer> load = new TreeMap<>();
        Map<WorkerId, Integer> primaries = new TreeMap<>();
        members.forEach(w -> {
            load.put(w.ref().id(), 0);
            primaries.put(w.ref().id(), 0);
        });
        assertThat(map.shards()).as(run).isEqualTo(shards);
        for (List<WorkerId> row : map.owners()) {
            if (row.size() != owners
                    || row.stream().distinct().count() != owners
                    || !load.keySet().containsAll(row)) {
                throw new AssertionError(run + " row=" + row);
            }
            row.forEach(w -> load.merge(w, 1, Integer::sum));
            primaries.merge(row.get(0), 1, Integer::sum);
        }
        assertThat(imbalance(load)).as(run + " load=" + load).isLessThanOrEqualTo(1);
        assertThat(imbalance(primaries)).as(run + " primaries=" + primaries).isLessThanOrEqualTo(1);
    }

    private static int imbalance(Map<WorkerId, Integer> counts) {
        return Collections.max(counts.values()) - Collections.min(counts.values());
    }

    static int moved(ShardMap before, ShardMap after) {
        int moves = 0;
        for (int s = 0; s < after.shards(); s++) {
            for (WorkerId owner : after.owners().get(s)) {
                moves += before.owns(owner, s) ? 0 : 1;
            }
        }
        return moves;
    }

    private static ShardMap randomMap(Random random, int shards, int replicas, List<WorkerInfo> pool) {
        var owners = new ArrayList<List<WorkerId>>();
        for (int s = 0; s < shards; s++) {
            var ids = new ArrayList<>(ids(pool));
            Collections.shuffle(ids, random);
            owners.add(ids.subList(0, replicas));
        }
        return new ShardMap(owners);
    }

    static List<WorkerId> ids(List<WorkerInfo> workers) {
        return workers.stream().map(w -> w.ref().id()).toList();
    }

    static List<Shard> shardsOf(int count) {
        return IntStream.range(0, count).mapToObj(s -> new Shard(s, s * 10, 10)).toList();
    }

    /** Workers w0000, w0001, … spread evenly over the hosts. */
    static List<WorkerInfo> workers(int count, int hosts) {
        var workers = new ArrayList<WorkerInfo>();
        for (int i = 0; i < count; i++) {
            workers.add(new WorkerInfo(
                    new WorkerRef(new WorkerId(String.format("w%04d", i)), 1),
                    new PoolId("pool"),
                    "host-" + i % hosts,
                    "127.0.0.1",
                    1,
                    2,
                    3,
                    "generic",
                    "3"));
        }
        return workers;
    }
}
