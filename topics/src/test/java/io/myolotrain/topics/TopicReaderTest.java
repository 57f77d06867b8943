package io.myolotrain.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.myolotrain.schemas.ConfluentRegistry;
import io.myolotrain.schemas.RegistryUnavailable;
import io.myolotrain.schemas.SchemaRegistry;
import io.myolotrain.schemas.Undecodable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopicReaderTest {
    private static final TopicPartition PARTITION = new TopicPartition("dead-letters", 0);
    private static final long WAIT_S = 30;

    private final SchemaRegistry registry = new ConfluentRegistry(new MockSchemaRegistryClient());
    private final Codecs codecs = Codecs.of(registry);
    private final TopicCodec<DeadLetter> codec = codecs.of(Topics.DEAD_LETTERS);
    private final MockConsumer<byte[], byte[]> log = new MockConsumer<>("none");
    private final ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();

    private class Teller implements TopicListener<DeadLetter> {
        @Override
        public void onRecord(Received<DeadLetter> record) {
            told.add(record.offset() + "=" + record.value().reason());
        }

        @Override
        public void onDeleted(Deleted record) {
            told.add(record.offset() + " deleted " + record.key());
        }

        @Override
        public void onUndecodable(Undecodable record) {
            told.add(record.offset() + " undecodable " + record.bytes().length);
        }
    }

    @Test
    void recordsComeInOrderAndCatchingUpEndsAtWhatWasThereAtTheStart() throws Exception {
        logHolds(0, value("a"), value("b"), value("c"));
        try (var reader = start(ReadFrom.beginning(), new Teller())) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
            assertThat(told).containsExactly("0=a", "1=b", "2=c");
        }
    }

    @Test
    void anEmptyTopicIsCaughtUpAtOnce() throws Exception {
        logHolds(0);
        try (var reader = start(ReadFrom.completeHistory(), new Teller())) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void G03_badBytesBetweenGoodRecordsAreToldOnceWithTheirBytesAndReadingGoesOn() throws Exception {
        logHolds(0, value("a"), new byte[] {1, 2, 3}, "{\"half\":".getBytes(UTF_8), value("b"));
        try (var reader = start(ReadFrom.beginning(), new Teller())) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
            assertThat(told).containsExactly("0=a", "1 undecodable 3", "2 undecodable 8", "3=b");
            assertThat(reader.undecodable()).isEqualTo(2);
        }
    }

    @Test
    void G05_aTombstoneIsADeletionAndAsksNoRegistry() throws Exception {
        logHolds(0, value("a"), null, value("b"));
        try (var reader = start(ReadFrom.beginning(), new Teller())) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
            assertThat(told).containsExactly("0=a", "1 deleted k", "2=b");
        }
    }

    @Test
    void G08_aPositionBeforeTheLogsStartStopsTheReaderWithTheRangeThatIsGone() {
        logHolds(5_000, value("a"));
        var offsets = new TreeMap<>(Map.of(0, 1_000L));
        try (var reader = start(ReadFrom.offsets(offsets), new Teller())) {
            assertThatThrownBy(() -> reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(HistoryGone.class)
                    .hasMessageContaining("records 1000 to 4999 of dead-letters-0 are gone");
        }
        assertThat(told).isEmpty();
    }

    @Test
    void G08_aReaderThatIsToldToGoesOnAfterTheGap() throws Exception {
        logHolds(5_000, value("a"));
        var listener = new Teller() {
            @Override
            public AtGap onGap(Gap gap) {
                told.add(gap.toString());
                return AtGap.SKIP;
            }
        };
        try (var reader = start(ReadFrom.completeHistory(), listener)) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
            assertThat(told).containsExactly("records 0 to 4999 of dead-letters-0 are gone", "5000=a");
        }
    }

    @Test
    void G10_aTopicThatEndsBeforeTheWantedOffsetWasCreatedAnewAndIsNotSkippedSilently() {
        logHolds(0, value("a"));
        try (var reader = start(ReadFrom.offsets(new TreeMap<>(Map.of(0, 17L))), new Teller())) {
            assertThatThrownBy(() -> reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(HistoryGone.class)
                    .hasMessageContaining("created anew");
        }
    }

    @Test
    void G17_readingFromTheNextOffsetRepeatsNothing() throws Exception {
        logHolds(0, value("a"), value("b"), value("c"));
        try (var reader = start(ReadFrom.offsets(new TreeMap<>(Map.of(0, 2L))), new Teller())) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
            assertThat(told).containsExactly("2=c");
        }
    }

    /** Work that takes long is told apart from being stuck, and is done once: no group waits for a reader. */
    @Test
    void G16_aSlowRecordIsNamedAndNotReadAgain() throws Exception {
        logHolds(0, value("a"), value("b"), value("c"));
        var reader = new TopicReader<>(
                Topics.DEAD_LETTERS, codec, log, ReadFrom.beginning(), new Teller(), 0); // all are slow
        try (reader) {
            reader.start();
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
        }
        assertThat(told).containsExactly("0=a", "1=b", "2=c");
        assertThat(reader.slow()).isEqualTo(3);
    }

    @Test
    void readingFromTheEndTellsOnlyWhatComesLater() throws Exception {
        logHolds(0, value("a"));
        var later = new CompletableFuture<String>();
        try (var reader =
                start(ReadFrom.end(), record -> later.complete(record.value().reason()))) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
            log.schedulePollTask(() -> add(1, value("b")));
            assertThat(later.get(WAIT_S, TimeUnit.SECONDS)).isEqualTo("b");
        }
    }

    @Test
    void aRegistryThatIsAwayDelaysARecordAndNeverMakesItUndecodable() throws Exception {
        logHolds(0, value("a"));
        var outages = new AtomicInteger(2);
        var flaky = Codecs.of(new FlakyRegistry(registry, outages));
        try (var reader = start(flaky, ReadFrom.beginning(), new Teller())) {
            reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS);
            assertThat(told).containsExactly("0=a");
        }
        assertThat(outages).hasValue(0);
    }

    @Test
    void anErrorOfTheListenerStopsTheReaderAndIsTold() throws Exception {
        logHolds(0, value("a"), value("b"));
        var stopped = new CompletableFuture<Exception>();
        TopicListener<DeadLetter> listener = new TopicListener<>() {
            @Override
            public void onRecord(Received<DeadLetter> record) {
                throw new IllegalStateException("full");
            }

            @Override
            public void onStopped(Exception cause) {
                stopped.complete(cause);
            }
        };
        try (var reader = start(ReadFrom.beginning(), listener)) {
            assertThat(stopped.get(WAIT_S, TimeUnit.SECONDS)).hasMessage("full");
            assertThatThrownBy(() -> reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS))
                    .hasMessageContaining("full");
        }
    }

    @Test
    void aListenerMayCloseItsOwnReaderAndSeesNothingAfterIt() throws Exception {
        logHolds(0, value("a"), value("b"));
        var self = new CompletableFuture<TopicReader<DeadLetter>>();
        var reader = start(ReadFrom.beginning(), record -> {
            told.add(record.value().reason());
            self.join().close();
        });
        self.complete(reader);

        assertThatThrownBy(() -> reader.caughtUp().get(WAIT_S, TimeUnit.SECONDS))
                .isInstanceOf(CancellationException.class);
        reader.close();
        assertThat(told).containsExactly("a");
        assertThat(log.closed()).isTrue();
    }

    private TopicReader<DeadLetter> start(ReadFrom from, TopicListener<DeadLetter> listener) {
        return start(codecs, from, listener);
    }

    private TopicReader<DeadLetter> start(Codecs with, ReadFrom from, TopicListener<DeadLetter> listener) {
        var reader = new TopicReader<>(Topics.DEAD_LETTERS, with.of(Topics.DEAD_LETTERS), log, from, listener);
        reader.start();
        return reader;
    }

    private void logHolds(long start, byte @Nullable []... values) {
        log.updatePartitions(
                PARTITION.topic(),
                List.of(new PartitionInfo(PARTITION.topic(), 0, Node.noNode(), new Node[0], new Node[0])));
        log.updateBeginningOffsets(Map.of(PARTITION, start));
        log.updateEndOffsets(Map.of(PARTITION, start + values.length));
        log.schedulePollTask(() -> {
            for (int i = 0; i < values.length; i++) {
                if (start + i >= log.position(PARTITION)) {
                    add(start + i, values[i]);
                }
            }
        });
    }

    private void add(long offset, byte @Nullable [] value) {
        log.addRecord(new ConsumerRecord<>(PARTITION.topic(), 0, offset, "k".getBytes(UTF_8), value));
    }

    private byte[] value(String reason) {
        return codec.encode(new DeadLetter("journal", 0, 0, reason, new byte[0], 0));
    }

    /** Fails a number of look-ups, then answers. */
    private record FlakyRegistry(SchemaRegistry healthy, AtomicInteger outages) implements SchemaRegistry {
        @Override
        public int idFor(String subject, Schema schema) {
            return healthy.idFor(subject, schema);
        }

        @Override
        public Schema schemaById(int id) throws Undecodable {
            if (outages.get() > 0) {
                outages.decrementAndGet();
                throw new RegistryUnavailable("away", new java.io.IOException("away"));
            }
            return healthy.schemaById(id);
        }

        @Override
        public Optional<String> compatibility(String subject) {
            return healthy.compatibility(subject);
        }

        @Override
        public void setCompatibility(String subject, String level) {
            healthy.setCompatibility(subject, level);
        }

        @Override
        public void close() {
            healthy.close();
        }
    }
}
