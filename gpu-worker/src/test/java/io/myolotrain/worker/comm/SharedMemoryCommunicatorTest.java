package io.myolotrain.worker.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.myolotrain.core.model.JobSpec.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class SharedMemoryCommunicatorTest extends CommunicatorContract {
    @Override
    Transport transport() {
        return Transport.SHARED_MEMORY;
    }

    @Override
    int smallRounds() {
        return 2_000;
    }

    /** The process maps regions, if any, whose files have no name any more: nothing can stay behind. */
    static List<String> assertRegionsHaveNoName(long pid) throws IOException {
        List<String> regions = Files.readAllLines(Path.of("/proc", Long.toString(pid), "maps")).stream()
                .filter(line -> line.contains("myolotrain-shm-"))
                .toList();
        assertThat(regions).allSatisfy(line -> assertThat(line).endsWith("(deleted)"));
        return regions;
    }

    @Test
    void aFormedGroupHasNoFile() throws Exception {
        try (Ranks ranks = Ranks.form(Transport.SHARED_MEMORY, 3, 3, 1_000)) {
            assertThat(assertRegionsHaveNoName(ProcessHandle.current().pid())).isNotEmpty();
            ranks.run(c -> c.allGather(new long[] {1}));
        }
    }

    @Test
    void ranksThatCallDifferentOperationsAreTold() throws Exception {
        try (Ranks ranks = Ranks.form(Transport.SHARED_MEMORY, 2, 2, 1_000)) {
            List<CollectiveFailedException> failures =
                    ranks.run(c -> catchThrowableOfType(CollectiveFailedException.class, () -> {
                        if (c.rank() == 0) {
                            c.allGather(new long[] {1});
                        } else {
                            c.broadcast(TreeOracle.bytes(8), 0);
                        }
                    }));
            assertThat(failures.get(0))
                    .hasMessageContaining("same operation")
                    .hasMessageContaining("ALL_GATHER_WORDS(1)")
                    .hasMessageContaining("BROADCAST(8)");
        }
    }

    /** As after kill -9, while the kernel still clears the process' memory away and its sockets are open. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aRankWhoseThreadIsGoneIsNamedThoughItsSocketIsOpen() throws Exception {
        try (Ranks ranks = Ranks.form(Transport.SHARED_MEMORY, 2, 2, 1_000)) {
            Communicator survivor = ranks.communicators.get(0);
            Communicator victim = ranks.communicators.get(1);
            Future<CollectiveFailedException> failure =
                    ranks.threads.submit(() -> catchThrowableOfType(CollectiveFailedException.class, () -> {
                        while (true) {
                            survivor.allGather(new long[] {0});
                        }
                    }));
            var driver = new Thread(() -> {
                victim.allGather(new long[] {1});
                await().until(() -> survivor.waiting().isPresent()); // so it has looked for this thread
                victim.allGather(new long[] {1});
            });
            driver.start();
            driver.join();
            CollectiveFailedException named = failure.get(Ranks.TIMEOUT.toSeconds() / 2, TimeUnit.SECONDS);
            assertThat(named.missingRanks()).containsExactly(1);
            assertThat(named).hasMessageContaining("its thread is gone");
        }
    }

    @Test
    void aHungPeerIsNamedWhenTheDeadlinePasses() throws Exception {
        try (var ranks = new Ranks(Transport.SHARED_MEMORY, 3)) {
            List<GroupSpec> specs = ranks.specs(Ranks.key(), 3, 1_000);
            ranks.communicators.addAll(ranks.inParallel(3, rank -> ranks.connectors
                    .get(rank)
                    .connect(specs.get(rank), Ranks.TIMEOUT, () -> Duration.ofMillis(150))));
            List<CollectiveFailedException> failures = ranks.inParallel(
                    2,
                    rank -> catchThrowableOfType(
                            CollectiveFailedException.class, ranks.communicators.get(rank)::barrier));
            assertThat(failures).allSatisfy(f -> {
                assertThat(f).hasMessageContaining("deadline of 150 ms passed");
                assertThat(f.missingRanks()).containsExactly(2);
            });
        }
    }

    @Test
    void whatAPeerWroteBeforeItLeftCounts() throws Exception {
        try (Ranks ranks = Ranks.form(Transport.SHARED_MEMORY, 3, 3, 1_000)) {
            List<long[]> votes = ranks.run(c -> {
                long[] all = c.allGather(new long[] {7});
                if (c.rank() == 2) { // perhaps before the others have looked
                    c.close();
                }
                return all;
            });
            assertThat(votes).allSatisfy(v -> assertThat(v).containsExactly(7, 7, 7));
            List<CollectiveFailedException> failures = ranks.inParallel(
                    2,
                    rank -> catchThrowableOfType(
                            CollectiveFailedException.class, ranks.communicators.get(rank)::barrier));
            assertThat(failures).allSatisfy(f -> assertThat(f.missingRanks()).containsExactly(2));
        }
    }

    @Test
    void aSecondThreadIsRefused() throws Exception {
        try (Ranks ranks = Ranks.form(Transport.SHARED_MEMORY, 2, 2, 1_000)) {
            Communicator blocked = ranks.communicators.get(0);
            var waiting = ranks.threads.submit(blocked::barrier);
            org.awaitility.Awaitility.await().until(() -> refuses(blocked));
            ranks.communicators.get(1).barrier();
            waiting.get();
        }
    }

    private static boolean refuses(Communicator communicator) {
        return catchThrowableOfType(IllegalStateException.class, () -> communicator.recv(TreeOracle.bytes(0), 1))
                != null;
    }

    @Test
    void attachRefusesANameThatIsNotARegions() {
        var layout = new RegionLayout(2, 2, 65_536);
        assertThatThrownBy(() -> SharedRegion.attach("../../etc/passwd", layout))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("name must match");
        assertThatThrownBy(() -> SharedRegion.attach("myolotrain-shm-0123456789abcdef", layout))
                .hasMessageContaining("must see the same directories");
    }

    @Test
    void attachRefusesARegionOfAnotherLayout() throws Exception {
        var layout = new RegionLayout(2, 2, 65_536);
        SharedRegion region = SharedRegion.create(layout);
        try {
            assertThatThrownBy(() -> SharedRegion.attach(region.name(), new RegionLayout(3, 3, 65_536)))
                    .hasMessageContaining("must have the size of its layout");
            SharedRegion.LONG.setVolatile(region.memory(), 8, 99L);
            assertThatThrownBy(() -> SharedRegion.attach(region.name(), layout)).hasMessageContaining("found=99");
        } finally {
            region.unlink();
            region.close();
        }
    }
}
