package io.myolotrain.worker.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.worker.comm.bench.RankProcesses;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kill -9 in the middle of collectives among real processes. */
class RankDeathIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    /** Far below the communicators' deadline of 5 minutes: it is the closed socket that tells. */
    private static final Duration SOON = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(strings = {"SHARED_MEMORY", "GLOO"})
    void survivorsNameTheDeadRankAndGoOnWithoutIt(String transport) throws Exception {
        int worldSize = 3;
        int victim = 1;
        try (RankProcesses processes = RankProcesses.start(worldSize, DyingRankMain.class, List.of(transport))) {
            processes.introduce(TIMEOUT);
            for (int rank = 0; rank < worldSize; rank++) {
                processes.await(rank, "step", TIMEOUT);
            }
            for (int rank = 0; rank < worldSize; rank++) {
                List<String> regions = SharedMemoryCommunicatorTest.assertRegionsHaveNoName(
                        processes.process(rank).pid());
                assertThat(regions.isEmpty()).isEqualTo(!transport.equals("SHARED_MEMORY"));
            }
            processes.process(victim).destroyForcibly().waitFor();

            var hashes = new TreeSet<String>();
            for (int survivor : new int[] {0, 2}) {
                String failed = processes.await(survivor, "failed", SOON);
                assertThat(failed).startsWith("[1] ").contains("allReduce #");
            }
            for (int survivor : new int[] {0, 2}) {
                processes.tell(survivor, "0,2");
            }
            for (int survivor : new int[] {0, 2}) {
                hashes.add(processes.await(survivor, "reduced", TIMEOUT));
                processes.awaitExit(survivor, TIMEOUT);
            }
            assertThat(hashes)
                    .containsExactly(Integer.toString(
                            Arrays.hashCode(DyingRankMain.oracle(2).expected())));
        }
    }
}
