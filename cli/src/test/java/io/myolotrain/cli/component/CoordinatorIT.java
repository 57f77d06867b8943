package io.myolotrain.cli.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.coordinator.CoordinatorApp;
import io.myolotrain.coordinator.CoordinatorOptions;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.JournalLine;
import io.myolotrain.topics.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The coordinator over a real broker: transactions, changelogs, consumer group. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CoordinatorIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private Path directory;
    private EmbeddedBroker broker;
    private RegistryServer registry;
    private Connection connection;
    private TestLog log;

    @BeforeAll
    void start(@TempDir Path temporary) throws IOException {
        directory = temporary;
        // The broker's default gives itself up after one second without a heartbeat: too short where tests share two
        // cores.
        broker = EmbeddedBroker.start(new EmbeddedBroker.Options(
                directory.resolve("kafka"), 0, Map.of("broker.session.timeout.ms", "18000")));
        registry = RegistryServer.start(broker.bootstrap(), 0);
        connection = Connection.of(broker.bootstrap(), registry.url());
    }

    @AfterAll
    void stop() throws IOException {
        if (log != null) {
            log.close();
        }
        if (registry != null) {
            registry.close();
        }
        broker.close();
    }

    private CoordinatorApp coordinator(String name) {
        var app = CoordinatorApp.start(connection, CoordinatorOptions.in(directory.resolve(name)));
        if (log == null) {
            log = new TestLog(connection); // the topics exist from now on
        }
        return app;
    }

    /** close() is bounded: on a starved machine it returns before the state directory is free for the next one. */
    private static void awaitStopped(CoordinatorApp app) {
        await().atMost(PATIENCE).until(() -> app.state().equals("NOT_RUNNING"));
    }

    /** Case G17: stopped cleanly and started again, it has done each thing once and goes on where it was. */
    @Test
    void G17_a_coordinator_that_is_stopped_and_started_does_nothing_twice_and_forgets_nothing() {
        var pool = new PoolId("restarted");
        CoordinatorApp first = coordinator("one");
        try (first) {
            for (int i = 0; i < 10; i++) {
                log.refused(pool, i);
            }
            log.join(pool, 1);
            log.awaitDecisions(pool, 11);
            await().atMost(PATIENCE).until(() -> first.health().healthy());
        }
        awaitStopped(first);
        try (CoordinatorApp second = coordinator("one")) {
            log.join(pool, 1); // the same event again
            log.refused(pool, 3);
            log.refused(pool, 10);
            log.awaitDecisions(pool, 12);
            await().atMost(PATIENCE).until(() -> second.health().counts().getOrDefault("duplicates", 0L) == 2);

            assertThat(log.committed(Topics.JOURNAL, pool.value()))
                    .extracting(JournalLine::eventId)
                    .doesNotHaveDuplicates()
                    .hasSize(12);
            assertThat(log.decisions(pool))
                    .extracting(Decision::eventId)
                    .doesNotHaveDuplicates()
                    .hasSize(12);
        }
    }

    @Test
    void of_two_coordinators_one_serves_a_pool_and_the_other_takes_over_when_it_is_stopped() {
        var pool = new PoolId("shared");
        CoordinatorApp first = coordinator("left");
        try (CoordinatorApp second = coordinator("right")) {
            await().atMost(PATIENCE)
                    .until(() -> first.health().healthy() && second.health().healthy());
            for (int i = 0; i < 20; i++) {
                log.refused(pool, i);
            }
            log.awaitDecisions(pool, 20);
            first.close();
            for (int i = 20; i < 40; i++) {
                log.refused(pool, i);
            }
            log.awaitDecisions(pool, 40);

            assertThat(log.decisions(pool))
                    .extracting(Decision::eventId)
                    .doesNotHaveDuplicates()
                    .hasSize(40);
        } finally {
            first.close();
        }
    }

    @Test
    void a_worker_that_says_nothing_is_lost_and_poison_is_counted() {
        var pool = new PoolId("silent");
        try (CoordinatorApp app = coordinator("three")) {
            log.join(pool, 7);
            log.sendUnder(
                    "another-pool",
                    pool,
                    "x",
                    new Event.ConfigChangeRequested(new JobId("j"), new TreeMap<>(Map.of("a", "b")), "t"));

            log.join(pool, 8);
            await().atMost(PATIENCE).untilAsserted(() -> {
                log.beat(pool, 8); // somebody is heard: the way to the log is free
                assertThat(log.facts(pool))
                        .filteredOn(Fact.WorkerRemoved.class::isInstance)
                        .extracting(fact -> ((Fact.WorkerRemoved) fact).worker())
                        .containsExactly(TestLog.worker(7));
            });
            await().atMost(PATIENCE).until(() -> app.health().rejected() == 1);
        }
    }
}
