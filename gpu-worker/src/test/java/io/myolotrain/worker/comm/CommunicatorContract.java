package io.myolotrain.worker.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.worker.comm.Communicator.FloatRange;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every transport must do; ranks are threads. */
abstract class CommunicatorContract {
    private static final int FLOATS_MAX = 40_000; // areas of 160,000 bytes

    abstract Transport transport();

    /** Small all-reduces in a row that are worth their time. */
    abstract int smallRounds();

    private Ranks ranks(int worldSize) throws Exception {
        return Ranks.form(transport(), worldSize, worldSize, FLOATS_MAX);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8})
    void allReduceHasTheBitsOfTheTreeForAnyPartition(int worldSize) throws Exception {
        long seed = System.nanoTime();
        var random = new Random(seed);
        try (Ranks ranks = ranks(worldSize)) {
            // one shot, direct, exactly the area, many pieces, nothing
            for (int floats : new int[] {1, 17, 2_048, 4_096, 4_097, 40_000, 150_001, 0}) {
                var oracle = new TreeOracle(random, worldSize, floats);
                List<float[]> results = ranks.run(communicator -> {
                    FloatBuffer result = TreeOracle.direct(floats + 3).position(3);
                    communicator.allReduce(oracle.reduction, oracle.partials(communicator.rank()), result);
                    return TreeOracle.array(result);
                });
                for (float[] result : results) {
                    assertThat(result)
                            .as("seed=%d floats=%d blocks=%s", seed, floats, oracle.blocks)
                            .isEqualTo(oracle.expected());
                }
            }
        }
    }

    @Test
    void manySmallAllReducesInARowStayCorrect() throws Exception {
        long seed = System.nanoTime();
        var random = new Random(seed);
        try (Ranks ranks = ranks(3)) {
            var oracle = new TreeOracle(random, 3, 100);
            float[] expected = oracle.expected();
            List<Boolean> equal = ranks.run(communicator -> {
                List<FloatBuffer> partials = oracle.partials(communicator.rank());
                FloatBuffer result = TreeOracle.direct(100);
                boolean allEqual = true;
                for (int i = 0; i < smallRounds(); i++) {
                    communicator.allReduce(oracle.reduction, partials, result);
                    allEqual &= java.util.Arrays.equals(TreeOracle.array(result), expected);
                }
                return allEqual;
            });
            assertThat(equal).as("seed=%d", seed).containsOnly(true);
        }
    }

    @Test
    void allGatherOfWordsReturnsThemRankAfterRank() throws Exception {
        try (Ranks ranks = ranks(4)) {
            for (int words : new int[] {1, 3, Communicator.SMALL_WORDS_MAX}) {
                List<long[]> results = ranks.run(communicator -> {
                    long[] mine = new long[words];
                    java.util.Arrays.setAll(mine, i -> communicator.rank() * 10_000L + i);
                    return communicator.allGather(mine);
                });
                for (long[] result : results) {
                    assertThat(result).hasSize(4 * words);
                    for (int i = 0; i < result.length; i++) {
                        assertThat(result[i]).isEqualTo(i / words * 10_000L + i % words);
                    }
                }
            }
        }
    }

    @Test
    void allGatherOfRangesCompletesTheBufferOnEveryRank() throws Exception {
        long seed = System.nanoTime();
        var random = new Random(seed);
        int floats = 170_000;
        int worldSize = 3;
        try (Ranks ranks = ranks(worldSize)) {
            List<List<FloatRange>> ranges = new ArrayList<>();
            for (int rank = 0; rank < worldSize; rank++) {
                ranges.add(new ArrayList<>());
            }
            for (int at = 0; at < floats; ) {
                int length = Math.min(floats - at, 1 + random.nextInt(20_000));
                ranges.get(random.nextInt(worldSize)).add(new FloatRange(at, length));
                at += length;
            }
            List<float[]> results = ranks.run(communicator -> {
                FloatBuffer data = TreeOracle.direct(floats);
                for (FloatRange range : ranges.get(communicator.rank())) {
                    for (int i = 0; i < range.length(); i++) {
                        data.put(range.offset() + i, range.offset() + i);
                    }
                }
                communicator.allGather(data, ranges);
                return TreeOracle.array(data);
            });
            float[] expected = new float[floats];
            for (int i = 0; i < floats; i++) {
                expected[i] = i;
            }
            for (float[] result : results) {
                assertThat(result).as("seed=%d ranges=%s", seed, ranges).isEqualTo(expected);
            }
        }
    }

    @Test
    void broadcastReachesEveryRankFromAnyRoot() throws Exception {
        try (Ranks ranks = ranks(3)) {
            for (int root = 0; root < 3; root++) {
                int from = root;
                for (int bytes : new int[] {1, 1_000, 700_001}) {
                    List<ByteBuffer> results = ranks.run(communicator -> {
                        ByteBuffer data = TreeOracle.bytes(bytes);
                        if (communicator.rank() == from) {
                            fill(data, from);
                        }
                        communicator.broadcast(data, from);
                        return data;
                    });
                    assertThat(results).containsOnly(fill(TreeOracle.bytes(bytes), from));
                }
            }
        }
    }

    @Test
    void messagesPassBetweenPairsInOrder() throws Exception {
        try (Ranks ranks = ranks(3)) {
            int[] sizes = {5, 300_000, 1, 1_000_003, 8};
            List<Boolean> intact = ranks.run(communicator -> {
                boolean equal = true;
                for (int sender = 0; sender < 3; sender++) {
                    for (int size : sizes) {
                        for (int step = 1; step < 3; step++) {
                            int receiver = (sender + step) % 3;
                            if (communicator.rank() == sender) {
                                communicator.send(fill(TreeOracle.bytes(size), sender * 3 + receiver), receiver);
                            } else if (communicator.rank() == receiver) {
                                ByteBuffer data = TreeOracle.bytes(size);
                                communicator.recv(data, sender);
                                equal &= data.equals(fill(TreeOracle.bytes(size), sender * 3 + receiver));
                            }
                        }
                    }
                }
                communicator.barrier();
                return equal;
            });
            assertThat(intact).containsOnly(true);
        }
    }

    private static ByteBuffer fill(ByteBuffer data, int salt) {
        for (int i = 0; i < data.limit(); i++) {
            data.put(i, (byte) (i * 31 + salt));
        }
        return data;
    }

    @Test
    void membersGoOnWhenDepartingRanksLeave() throws Exception {
        long seed = System.nanoTime();
        var random = new Random(seed);
        try (Ranks ranks = Ranks.form(transport(), 4, 2, FLOATS_MAX)) {
            var oracle = new TreeOracle(random, 2, 5_000);
            List<float[]> results = ranks.run(group -> {
                group.allGather(new long[] {group.rank()});
                if (group.rank() >= 2) {
                    group.close();
                    return new float[0];
                }
                Communicator members = group.prefix(2);
                assertThat(members.worldSize()).isEqualTo(2);
                FloatBuffer result = TreeOracle.direct(5_000);
                for (int i = 0; i < smallRounds() / 10; i++) {
                    members.allReduce(oracle.reduction, oracle.partials(members.rank()), result);
                }
                assertThat(group.prefix(2)).isSameAs(members);
                return TreeOracle.array(result);
            });
            assertThat(results.get(0)).as("seed=%d", seed).isEqualTo(oracle.expected());
            assertThat(results.get(1)).as("seed=%d", seed).isEqualTo(oracle.expected());
        }
    }

    @Test
    void anAbortEndsABlockedOperationAndThePeersLearnIt() throws Exception {
        try (Ranks ranks = ranks(3)) {
            List<CollectiveFailedException> failures = ranks.inParallel(3, rank -> {
                Communicator communicator = ranks.communicators.get(rank);
                if (rank == 2) {
                    communicator.abort("a newer plan is here");
                }
                return org.assertj.core.api.Assertions.catchThrowableOfType(
                        CollectiveFailedException.class, communicator::barrier);
            });
            assertThat(failures).doesNotContainNull();
            assertThat(failures).allSatisfy(f -> assertThat(f).hasMessageContaining("a newer plan is here"));
            assertThat(failures.get(0)).hasMessageContaining("allGather #1").hasMessageContaining("rank 2");
            assertThat(failures.get(0).missingRanks()).containsExactly(2);
            assertThatThrownBy(() -> ranks.communicators.get(0).barrier())
                    .isInstanceOf(CollectiveFailedException.class);
        }
    }

    @Test
    void argumentsAreCheckedBeforeAnythingIsSent() throws Exception {
        try (Ranks ranks = ranks(2)) {
            Communicator communicator = ranks.communicators.get(0);
            var oracle = new TreeOracle(new Random(1), 2, 10);
            List<FloatBuffer> partials = oracle.partials(0);
            assertThatThrownBy(() -> communicator.allReduce(oracle.reduction, partials, TreeOracle.direct(11)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("partial=10 result=11");
            assertThatThrownBy(() -> communicator.send(TreeOracle.bytes(1), 0))
                    .hasMessageContaining("a peer is another rank");
            assertThatThrownBy(() -> communicator.broadcast(TreeOracle.bytes(1), 2))
                    .hasMessageContaining("root must be a rank");
            assertThatThrownBy(() -> communicator.prefix(5)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> communicator.allGather(
                            TreeOracle.direct(4), List.of(List.of(new FloatRange(2, 3)), List.of())))
                    .hasMessageContaining("a range must lie within the buffer");
            ranks.run(c -> c.allGather(new long[] {1})); // still usable
        }
    }
}
