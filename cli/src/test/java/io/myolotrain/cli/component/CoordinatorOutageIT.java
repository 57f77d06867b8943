package io.myolotrain.cli.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.cli.Main;
import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.Ports;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.coordinator.CoordinatorApp;
import io.myolotrain.coordinator.CoordinatorOptions;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.sampler.SamplerApp;
import io.myolotrain.sampler.SamplerOptions;
import io.myolotrain.topics.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Coordinators, samplers and registries that are down for a while, asleep, or start in any order. */
class CoordinatorOutageIT {
    private static final long STOP_TIMEOUT_S = 30;

    @TempDir
    Path directory;

    private final int registryPort = Ports.free();
    private EmbeddedBroker broker;
    private RegistryServer registry;
    private Connection connection;

    @BeforeEach
    void start() throws IOException {
        broker = EmbeddedBroker.start(new EmbeddedBroker.Options(
                directory.resolve("kafka"), 0, Map.of("broker.session.timeout.ms", "18000")));
        registry = RegistryServer.start(broker.bootstrap(), registryPort);
        connection = Connection.of(broker.bootstrap(), registry.url());
    }

    @AfterEach
    void stop() throws IOException {
        registry.close();
        broker.close();
    }

    private CoordinatorApp coordinator(Duration workerDeadline) {
        return CoordinatorApp.start(
                connection,
                CoordinatorOptions.in(directory.resolve("coordinator")).withWorkerDeadline(workerDeadline));
    }

    private static void stop(CoordinatorApp app) {
        app.close();
        await().atMost(TestLog.PATIENCE).until(() -> app.state().equals("NOT_RUNNING"));
    }

    @Test
    void a_coordinator_that_was_down_for_longer_than_the_deadline_of_workers_decides_what_came_and_loses_nobody() {
        var pool = new PoolId("pool");
        Duration deadline = Duration.ofSeconds(2);
        CoordinatorApp first = coordinator(deadline);
        try (var log = new TestLog(connection)) {
            log.join(pool, 1);
            log.join(pool, 2);
            log.awaitDecisions(pool, 2);
            stop(first);

            long downSince = System.nanoTime();
            int changes = 0;
            while (System.nanoTime() - downSince < deadline.multipliedBy(2).toNanos()) {
                log.beat(pool, 1); // w1 lives; w2 dies unheard
                log.refused(pool, changes++);
            }
            CoordinatorApp second = coordinator(deadline);
            try {
                int all = 2 + changes;
                await().atMost(TestLog.PATIENCE).until(() -> {
                    log.beat(pool, 1);
                    return log.facts(pool).stream().anyMatch(Fact.WorkerRemoved.class::isInstance);
                });
                assertThat(log.facts(pool))
                        .filteredOn(Fact.WorkerRemoved.class::isInstance)
                        .extracting(fact -> ((Fact.WorkerRemoved) fact).worker())
                        .containsExactly(TestLog.worker(2));
                log.awaitDecisions(pool, all + 1); // what came meanwhile may still be read when the deadline passes
                log.assertDecidedOnce(pool, all + 1);
            } finally {
                stop(second);
            }
        }
    }

    /** One of two is stopped as by SIGSTOP; the other takes over; the first wakes and still holds what it was about to do. */
    @Test
    @DisplayName("Two coordinators at once: one that sleeps is fenced when it wakes, and nothing is decided twice")
    void a_sleeping_coordinator_is_replaced_and_its_late_work_counts_for_nothing() throws Exception {
        List<PoolId> pools =
                IntStream.range(0, 8).mapToObj(i -> new PoolId("pool-" + i)).toList();
        CoordinatorApp awake = coordinator(Duration.ofSeconds(60));
        Process asleep = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "coordinator",
                        "--state",
                        directory.resolve("other").toString(),
                        "--bootstrap",
                        broker.bootstrap(),
                        "--registry",
                        registry.url()))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("other.log").toFile())
                .start();
        try (var log = new TestLog(connection)) {
            // Whoever serves a pool: at first both have some of them.
            for (PoolId pool : pools) {
                log.refused(pool, 0);
            }
            for (PoolId pool : pools) {
                log.awaitDecisions(pool, 1);
            }
            await().atMost(TestLog.PATIENCE).until(() -> Files.readString(directory.resolve("other.log"))
                    .contains("RUNNING"));
            signal(asleep, "STOP");
            sendToAll(log, pools, 1, 20);
            for (PoolId pool : pools) {
                log.awaitDecisions(pool, 20);
            }
            signal(asleep, "CONT");
            sendToAll(log, pools, 20, 40);
            for (PoolId pool : pools) {
                log.awaitDecisions(pool, 40);
                log.assertDecidedOnce(pool, 40);
            }
        } finally {
            asleep.destroyForcibly().waitFor(STOP_TIMEOUT_S, TimeUnit.SECONDS);
            stop(awake);
        }
    }

    private static void sendToAll(TestLog log, List<PoolId> pools, int from, int to) {
        for (int i = from; i < to; i++) {
            for (PoolId pool : pools) {
                log.refused(pool, i);
            }
        }
    }

    private static void signal(Process process, String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor(STOP_TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    @Test
    void coordinator_sampler_and_registry_may_stop_and_start_in_any_order() throws Exception {
        var pool = new PoolId("pool");
        CoordinatorApp coordinator = coordinator(Duration.ofSeconds(60));
        SamplerApp sampler = sampler();
        int sent = 0;
        try (var log = new TestLog(connection)) {
            log.refused(pool, sent++);
            log.awaitDecisions(pool, sent);

            registry.close(); // schemas that are known are known
            log.refused(pool, sent++);
            log.awaitDecisions(pool, sent);

            stop(coordinator);
            sampler.close();
            log.refused(pool, sent++);
            // Those who need the registry wait for it, whoever comes first.
            CompletableFuture<SamplerApp> samplerStart = CompletableFuture.supplyAsync(this::sampler);
            CompletableFuture<CoordinatorApp> coordinatorStart =
                    CompletableFuture.supplyAsync(() -> coordinator(Duration.ofSeconds(60)));
            registry = RegistryServer.start(broker.bootstrap(), registryPort);
            CompletableFuture.allOf(samplerStart, coordinatorStart).get(TestLog.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            coordinator = coordinatorStart.get();
            sampler = samplerStart.get();
            log.awaitDecisions(pool, sent);
            SamplerApp started = sampler;
            await().atMost(TestLog.PATIENCE).until(() -> started.health().healthy());
            log.assertDecidedOnce(pool, sent);
        } finally {
            stop(coordinator);
            sampler.close();
        }
    }

    private SamplerApp sampler() {
        return SamplerApp.start(connection, SamplerOptions.in(directory.resolve("sampler")));
    }
}
