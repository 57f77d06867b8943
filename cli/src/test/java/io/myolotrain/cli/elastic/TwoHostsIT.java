package io.myolotrain.cli.elastic;

import static io.myolotrain.cli.elastic.TestJob.GLOBAL_BATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.myolotrain.cli.Main;
import io.myolotrain.cli.TestJvm;
import io.myolotrain.cli.chaos.PacketLoss;
import io.myolotrain.cli.component.WorkerCommand;
import io.myolotrain.cli.fleet.ChildJvm;
import io.myolotrain.cli.fleet.WorkerFleet;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.topics.Connection;
import io.myolotrain.worker.engine.LaunchFlags;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One job on two hosts, over Gloo, and the network between them is bad. Whoever is given up meanwhile and whatever has to be
 * done again, the result has the bits of the undisturbed run, and the world is whole again when the trouble is over.
 */
class TwoHostsIT {
    private static final long ENDLESS = 100_000;
    private static final Duration TROUBLE = Duration.ofSeconds(7);
    private static final long STEPS_AFTERWARDS = 20;

    @TempDir
    static Path directory;

    private static final Deque<AutoCloseable> PARTS = new ArrayDeque<>();
    private static TwoHosts hosts;
    private static TestPool pool;
    private static Path corpus;

    @BeforeAll
    static void startHosts() throws Exception {
        assumeTrue(TwoHosts.arePossible(), "network namespaces cannot be made here: needs root and iproute2");
        Optional<String> obstacle = PacketLoss.obstacle();
        assumeTrue(obstacle.isEmpty(), () -> "packets cannot be dropped here: " + obstacle.orElse(""));
        corpus = TestJob.corpus(directory);
        hosts = own(TwoHosts.open());
        RelayedLink link = own(new RelayedLink(hosts.a.gateway()));
        pool = own(new TestPool(directory, 0, link));
        Connection connection = pool.workersConnection();
        own(worker(hosts.a, connection)).start("a");
        own(worker(hosts.b, connection)).start("b");
        pool.awaitState("both workers", state -> state.workers().size() == 2);
    }

    private static <T extends AutoCloseable> T own(T part) {
        PARTS.push(part);
        return part;
    }

    @AfterAll
    static void stopHosts() throws Exception {
        while (!PARTS.isEmpty()) {
            PARTS.pop().close();
        }
    }

    private static WorkerFleet worker(TwoHosts.Host host, Connection connection) {
        return new WorkerFleet(
                new ChildJvm(host.launcher(), TestJvm.workerFlags(), LaunchFlags.environment(), Main.class.getName()),
                id -> {
                    var arguments = new ArrayList<>(WorkerCommand.childArguments(
                            new WorkerId(id), connection, pool.pool(), pool.checkpoints()));
                    arguments.addAll(
                            List.of("--address", host.address(), "--host-id", "host-" + id, "--gloo", "--keep", "2"));
                    return arguments;
                },
                new WorkerFleet.Options(directory.resolve("logs"), Duration.ofSeconds(5), false));
    }

    private static JobSpec submit(String name) {
        JobSpec spec = TestJob.spec(name, pool.pool(), 2, corpus, ENDLESS);
        pool.submitWhenIdle(spec, 2);
        awaitBoth(spec);
        return spec;
    }

    private static void awaitBoth(JobSpec spec) {
        pool.awaitState("a world of both hosts", state -> state.job(spec.job())
                .flatMap(JobState::active)
                .map(Plan::worldSize)
                .filter(size -> size == 2)
                .isPresent());
    }

    private static long committed(JobSpec spec) {
        return pool.job(spec.job()).committedStep();
    }

    @Test
    void lossAndPartitionsBetweenHostsChangeNoBit() throws Exception {
        JobSpec spec = submit("two-hosts");
        pool.change(spec.job(), Map.of("checkpoint.every", "20"));
        pool.awaitStep(spec.job(), 20);
        measure("fine weather", spec);
        for (double share : new double[] {0.1, 0.3, 0.5, 1.0}) {
            try (PacketLoss loss = PacketLoss.between(hosts.a.device(), hosts.b.device(), share)) {
                measure(Math.round(share * 100) + " % loss", spec);
            }
            long healed = System.nanoTime();
            awaitBoth(spec);
            pool.awaitStep(spec.job(), committed(spec) + 10);
            System.out.printf(
                    Locale.ROOT,
                    "two hosts: after %.0f %% loss both were at work again and 10 steps on after %.1f s%n",
                    share * 100,
                    (System.nanoTime() - healed) / 1e9);
        }
        long steps = committed(spec) + STEPS_AFTERWARDS;
        String disturbed = pool.finalHashAt(spec, steps);
        pool.assertEverySampleIsConsumedExactlyOnce(spec.job(), steps * GLOBAL_BATCH);
        JobSpec quiet = submit("two-hosts-undisturbed");
        assertThat(disturbed).isEqualTo(pool.finalHashAt(quiet, steps));
    }

    private static void measure(String weather, JobSpec spec) {
        long before = committed(spec);
        long began = System.nanoTime();
        await("the length of the trouble")
                .pollDelay(TROUBLE)
                .atMost(TestPool.PATIENCE)
                .until(() -> true);
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "two hosts: %s: %.1f steps/s in %.0f s%n",
                weather,
                (committed(spec) - before) / seconds,
                seconds);
    }
}
