package io.myolotrain.worker.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.core.model.Plan.CommThresholds;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class GroupConnectorTest {
    private static final Duration SHORT = Duration.ofMillis(400);

    private static Communicator connect(Ranks ranks, GroupSpec spec, Duration timeout) {
        return ranks.connectors.get(spec.rank()).connect(spec, timeout, () -> Ranks.TIMEOUT);
    }

    private static GroupFormingException failure(Ranks ranks, GroupSpec spec, Duration timeout) {
        return catchThrowableOfType(
                GroupFormingException.class, () -> connect(ranks, spec, timeout).close());
    }

    @Test
    void whoIsMissingIsNamedOnEveryRankThatCame() throws Exception {
        try (var ranks = new Ranks(Transport.SHARED_MEMORY, 3)) {
            List<GroupSpec> specs = ranks.specs(Ranks.key(), 3, 1_000);
            List<GroupFormingException> failures = ranks.inParallel(2, rank -> failure(ranks, specs.get(rank), SHORT));
            assertThat(failures).allSatisfy(f -> {
                assertThat(f.missingRanks()).containsExactly(2);
                assertThat(f.goneRanks()).as("slow is not dead").isEmpty();
                assertThat(f).hasMessageContaining("w2#1").hasMessageContaining("time-out");
            });
            SharedMemoryCommunicatorTest.assertRegionsHaveNoName(
                    ProcessHandle.current().pid());
        }
    }

    @Test
    void aRankThatNeverListenedIsNamed() throws Exception {
        try (var ranks = new Ranks(Transport.SHARED_MEMORY, 3)) {
            List<GroupSpec> specs = ranks.specs(Ranks.key(), 3, 1_000);
            ranks.connectors.get(0).close();
            List<GroupFormingException> failures = ranks.inParallel(2, i -> failure(ranks, specs.get(i + 1), SHORT));
            assertThat(failures).allSatisfy(f -> assertThat(f.missingRanks()).contains(0));
        }
    }

    /** One report about all of them is one new plan; one after the other would be a plan for each. */
    @Test
    void allRanksThatNobodyListensForAreNamedByEachThatCame() throws Exception {
        try (var ranks = new Ranks(Transport.SHARED_MEMORY, 4)) {
            List<GroupSpec> specs = ranks.specs(Ranks.key(), 4, 1_000);
            ranks.connectors.get(1).close();
            ranks.connectors.get(3).close();
            List<GroupFormingException> failures =
                    ranks.inParallel(2, i -> failure(ranks, specs.get(2 * i), Ranks.TIMEOUT));
            assertThat(failures).allSatisfy(f -> assertThat(f.goneRanks()).containsExactly(1, 3));
        }
    }

    @Test
    void aLateRankCompletesTheGroup() throws Exception {
        try (var ranks = new Ranks(Transport.SHARED_MEMORY, 3)) {
            List<GroupSpec> specs = ranks.specs(Ranks.key(), 3, 1_000);
            List<Future<Communicator>> early = List.of(
                    ranks.threads.submit(() -> connect(ranks, specs.get(0), Ranks.TIMEOUT)),
                    ranks.threads.submit(() -> connect(ranks, specs.get(2), Ranks.TIMEOUT)));
            // The early ones are at work: a second attempt on the same group is refused.
            await().until(() ->
                    catchThrowableOfType(IllegalStateException.class, () -> connect(ranks, specs.get(2), Duration.ZERO)
                                    .close())
                            != null);
            assertThat(early).noneMatch(Future::isDone);
            ranks.communicators.add(connect(ranks, specs.get(1), Ranks.TIMEOUT));
            for (Future<Communicator> future : early) {
                ranks.communicators.add(future.get());
            }
            List<long[]> gathered = ranks.run(c -> c.allGather(new long[] {c.rank()}));
            assertThat(gathered).allSatisfy(words -> assertThat(words).containsExactly(0, 1, 2));
        }
    }

    @Test
    void formingIsAbortedFromAnotherThreadAndThePeersLearnIt() throws Exception {
        try (var ranks = new Ranks(Transport.SHARED_MEMORY, 3)) {
            GroupKey key = Ranks.key();
            List<GroupSpec> specs = ranks.specs(key, 3, 1_000);
            Future<GroupFormingException> waiting =
                    ranks.threads.submit(() -> failure(ranks, specs.get(0), Ranks.TIMEOUT));
            Future<GroupFormingException> peer =
                    ranks.threads.submit(() -> failure(ranks, specs.get(1), Duration.ofSeconds(5)));
            await().until(() -> ranks.connectors.get(0).abort(key, "generation 9 is here"));
            assertThat(waiting.get()).hasMessageContaining("generation 9 is here");
            assertThat(peer.get()).isNotNull();
            assertThat(ranks.connectors.get(0).abort(key, "again")).isFalse();
        }
    }

    @Test
    void aRankWithAnotherPlanIsRefused() throws Exception {
        try (var ranks = new Ranks(Transport.SHARED_MEMORY, 2)) {
            GroupKey key = Ranks.key();
            List<GroupSpec> specs = List.of(
                    ranks.specs(key, 2, 1_000).get(0),
                    ranks.specs(key, 1, 1_000).get(1));
            Future<GroupFormingException> first =
                    ranks.threads.submit(() -> failure(ranks, specs.get(0), Duration.ofSeconds(3)));
            GroupFormingException refused = failure(ranks, specs.get(1), Ranks.TIMEOUT);
            assertThat(refused).hasMessageContaining("refused").hasMessageContaining("another plan");
            ranks.connectors.get(0).abort(key, "test over");
            assertThat(first.get()).isNotNull();
        }
    }

    @Test
    void strangersOnThePortDisturbNothing() throws Exception {
        long seed = System.nanoTime();
        var random = new Random(seed);
        try (var ranks = new Ranks(Transport.SHARED_MEMORY, 2)) {
            for (int i = 0; i < 20; i++) {
                try (var stranger = new Socket(
                        InetAddress.getLoopbackAddress(),
                        ranks.connectors.get(0).peerPort())) {
                    byte[] noise = new byte[random.nextInt(200)];
                    random.nextBytes(noise);
                    stranger.getOutputStream().write(noise);
                }
            }
            List<GroupSpec> specs = ranks.specs(Ranks.key(), 2, 1_000);
            ranks.communicators.addAll(ranks.inParallel(2, rank -> connect(ranks, specs.get(rank), Ranks.TIMEOUT)));
            List<long[]> gathered = ranks.run(c -> c.allGather(new long[] {c.rank()}));
            assertThat(gathered).as("seed=%d", seed).allSatisfy(w -> assertThat(w)
                    .containsExactly(0, 1));
        }
    }

    @Test
    void theNextGroupFormsWhileTheOldOneWorks() throws Exception {
        try (Ranks ranks = Ranks.form(Transport.SHARED_MEMORY, 2, 2, 1_000)) {
            List<GroupSpec> next = ranks.specs(Ranks.key(), 2, 1_000);
            List<Future<Communicator>> forming = next.stream()
                    .map(spec -> ranks.threads.submit(() -> connect(ranks, spec, Ranks.TIMEOUT)))
                    .toList();
            boolean formed = false;
            while (!formed) { // ends: forming has a time-out
                long done = forming.stream().filter(Future::isDone).count();
                List<long[]> votes = ranks.run(c -> c.allGather(new long[] {done}));
                assertThat(votes.get(0)).containsExactly(done, done);
                formed = done == 2;
            }
            for (Future<Communicator> future : forming) {
                ranks.communicators.add(future.get());
            }
            List<long[]> gathered =
                    ranks.inParallel(2, i -> ranks.communicators.get(i + 2).allGather(new long[] {i}));
            assertThat(gathered).allSatisfy(words -> assertThat(words).containsExactly(0, 1));
        }
    }

    @Test
    void aSpecRefusesWhatCannotBeFormed() throws Exception {
        var here = new PeerAddress("a#1", "h1", "127.0.0.1", 1, 0);
        var there = new PeerAddress("b#1", "h2", "127.0.0.2", 1, 0);
        var thresholds = new CommThresholds(1, 1);
        assertThatThrownBy(() ->
                        new GroupSpec(Ranks.key(), Transport.SHARED_MEMORY, 0, 2, List.of(here, there), 1, thresholds))
                .hasMessageContaining("must share a host")
                .hasMessageContaining("use transport GLOO");
        assertThatThrownBy(
                        () -> new GroupSpec(Ranks.key(), Transport.SHARED_MEMORY, 1, 1, List.of(here), 1, thresholds))
                .hasMessageContaining("rank=1");
        var gloo = new GroupSpec(Ranks.key(), Transport.GLOO, 0, 2, List.of(here, there), 1, thresholds);
        try (var ranks = new Ranks(Transport.SHARED_MEMORY, 1)) {
            assertThatThrownBy(() -> connect(ranks, gloo, SHORT)).hasMessageContaining("transport=GLOO");
        }
    }
}
