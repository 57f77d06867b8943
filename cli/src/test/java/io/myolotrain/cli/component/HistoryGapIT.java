package io.myolotrain.cli.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.coordinator.CoordinatorApp;
import io.myolotrain.coordinator.CoordinatorOptions;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.HistoryGone;
import io.myolotrain.topics.Topics;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryGapIT {
    private static final PoolId POOL = new PoolId("pool");

    @Test
    @DisplayName(
            "G08 A coordinator whose unread events were deleted refuses to start, names them, and goes on when told")
    void eventsThatAreGoneAreNotJumpedOver(@TempDir Path directory) throws Exception {
        try (var broker = EmbeddedBroker.start(new EmbeddedBroker.Options(
                        directory.resolve("kafka"), 0, Map.of("broker.session.timeout.ms", "18000")));
                var registry = RegistryServer.start(broker.bootstrap(), 0)) {
            var connection = Connection.of(broker.bootstrap(), registry.url());
            var options = CoordinatorOptions.in(directory.resolve("coordinator"));
            CoordinatorApp first = CoordinatorApp.start(connection, options);
            try (var log = new TestLog(connection)) {
                for (int i = 0; i < 3; i++) {
                    drained(log, i);
                }
                log.awaitDecisions(POOL, 3);
                stop(first);

                for (int i = 3; i < 8; i++) {
                    drained(log, i);
                }
                TopicPartition partition = deleteBut(broker, 1);
                assertThatThrownBy(() -> CoordinatorApp.start(connection, options))
                        .isInstanceOf(HistoryGone.class)
                        .hasMessageContaining("records 3 to 6 of " + partition + " are gone")
                        .hasMessageContaining("--accept-history-gap");

                CoordinatorApp second = CoordinatorApp.start(connection, options.acceptingHistoryGap(true));
                try {
                    log.awaitDecisions(POOL, 4);
                    assertThat(log.decisions(POOL))
                            .extracting(Decision::eventId)
                            .containsExactly("drain-0", "drain-1", "drain-2", "drain-7");
                    assertThat(log.committed(Topics.DEAD_LETTERS, partition.topic()))
                            .singleElement()
                            .satisfies(letter -> {
                                assertThat(letter.offset()).isEqualTo(3);
                                assertThat(letter.reason()).contains("records 3 to 6", "accepted");
                            });
                } finally {
                    stop(second);
                }
                CoordinatorApp third = CoordinatorApp.start(connection, options); // nothing is missing any more
                stop(third);
            }
        }
    }

    /** An event of a topic that forgets; its answer is one decision. */
    private static void drained(TestLog log, int number) {
        log.send(POOL, "drain-" + number, new Event.WorkerDraining(TestLog.worker(number), "nobody"));
    }

    private static void stop(CoordinatorApp app) {
        app.close();
        await().atMost(TestLog.PATIENCE).until(() -> app.state().equals("NOT_RUNNING"));
    }

    private static TopicPartition deleteBut(EmbeddedBroker broker, int kept) throws Exception {
        String topic = Topics.WORKER_EVENTS.name();
        try (var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            for (int p = 0; p < Topics.WORKER_EVENTS.partitions(); p++) {
                var partition = new TopicPartition(topic, p);
                long end = admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                        .partitionResult(partition)
                        .get(30, TimeUnit.SECONDS)
                        .offset();
                if (end > 0) {
                    admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(end - kept)))
                            .all()
                            .get(30, TimeUnit.SECONDS);
                    return partition;
                }
            }
        }
        throw new AssertionError("the pool's events must be somewhere");
    }
}
