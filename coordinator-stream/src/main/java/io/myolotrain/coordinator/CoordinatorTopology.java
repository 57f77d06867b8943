package io.myolotrain.coordinator;

import io.myolotrain.topics.Topics;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The topology, with a name of its own for every node and store: names are part of what is kept in Kafka, and a name that
 * shifts is state that is lost.
 *
 * <pre>
 * config-changes ─┐
 * worker-events ──┼─> sequencer ──────────────┬─> journal ─> coordinator ─┬─> decisions ───────┐
 * step-completions┘   [event-ids]             │               [folds]     └─> rebalance-plans  │
 *                        └─> timekeeper ──────┘                                                │
 *                             [watches]  <── decision-reader <─────────────────────────────────┘
 * </pre>
 *
 * Whatever a node cannot read goes to dead-letters. The journal has one writer, so it has one order.
 */
final class CoordinatorTopology {
    static final String IDS_STORE = "event-ids";
    static final String WATCH_STORE = "watches";
    static final String FOLD_STORE = "folds";

    static final String SEQUENCER = "sequencer";
    static final String DECISION_READER = "decision-reader";
    static final String TIMEKEEPER = "timekeeper";
    static final String COORDINATOR = "coordinator";

    static final String JOURNAL_SINK = "journal-sink";
    static final String DECISION_SINK = "decision-sink";
    static final String PLAN_SINK = "plan-sink";
    static final String DEAD_LETTER_SINK = "sequencer-dead-letter-sink";
    static final String JOURNAL_DEAD_LETTER_SINK = "coordinator-dead-letter-sink";

    private static final String INGRESS_SOURCE = "ingress-source";
    private static final String DECISION_SOURCE = "decision-source";
    private static final String JOURNAL_SOURCE = "journal-source";

    /** The cleaner never touches the segment that is written: small ones keep a changelog, and so a restart, short. */
    private static final Map<String, String> CHANGELOG = Map.of(
            TopicConfig.SEGMENT_BYTES_CONFIG,
            String.valueOf(16 << 20),
            TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
            "0.2");

    private CoordinatorTopology() {}

    /** @param disk where a store of that name keeps its entries */
    static Topology build(
            Wire wire,
            Supplier<Fold.Rules> rules,
            CoordinatorOptions options,
            BooleanSupplier logReachable,
            Counters counters,
            Function<String, KeyValueBytesStoreSupplier> disk) {
        Deserializer<String> key = new StringDeserializer();
        Deserializer<byte[]> value = new ByteArrayDeserializer();
        Serializer<String> keyOut = new StringSerializer();
        Serializer<byte[]> valueOut = new ByteArraySerializer();
        var topology = new Topology();
        topology.addSource(
                AutoOffsetReset.earliest(),
                INGRESS_SOURCE,
                new ClampToNow(),
                key,
                value,
                Topics.CONFIG_CHANGES.name(),
                Topics.WORKER_EVENTS.name(),
                Topics.STEP_COMPLETIONS.name());
        topology.addSource(
                AutoOffsetReset.earliest(), DECISION_SOURCE, new ClampToNow(), key, value, Topics.DECISIONS.name());
        topology.addProcessor(SEQUENCER, () -> new Sequencer(wire, options, counters), INGRESS_SOURCE);
        topology.addProcessor(DECISION_READER, () -> new DecisionReader(wire, counters), DECISION_SOURCE);
        topology.addProcessor(
                TIMEKEEPER, () -> new Timekeeper(wire, options, logReachable, counters), SEQUENCER, DECISION_READER);
        topology.addStateStore(store(disk.apply(IDS_STORE), Serdes.String()), SEQUENCER);
        topology.addStateStore(store(disk.apply(WATCH_STORE), Serdes.String()), TIMEKEEPER);
        topology.addSink(JOURNAL_SINK, Topics.JOURNAL.name(), keyOut, valueOut, SEQUENCER, TIMEKEEPER);
        topology.addSink(DEAD_LETTER_SINK, Topics.DEAD_LETTERS.name(), keyOut, valueOut, SEQUENCER, DECISION_READER);

        topology.addSource(
                AutoOffsetReset.earliest(), JOURNAL_SOURCE, new ClampToNow(), key, value, Topics.JOURNAL.name());
        topology.addProcessor(
                COORDINATOR, () -> new CoordinatorProcessor(wire, rules.get(), options, counters), JOURNAL_SOURCE);
        topology.addStateStore(store(disk.apply(FOLD_STORE), Serdes.ByteArray()), COORDINATOR);
        topology.addSink(DECISION_SINK, Topics.DECISIONS.name(), keyOut, valueOut, COORDINATOR);
        topology.addSink(PLAN_SINK, Topics.REBALANCE_PLANS.name(), keyOut, valueOut, COORDINATOR);
        topology.addSink(JOURNAL_DEAD_LETTER_SINK, Topics.DEAD_LETTERS.name(), keyOut, valueOut, COORDINATOR);
        return topology;
    }

    private static <V> StoreBuilder<KeyValueStore<String, V>> store(KeyValueBytesStoreSupplier disk, Serde<V> value) {
        return Stores.keyValueStoreBuilder(disk, Serdes.String(), value)
                .withCachingDisabled()
                .withLoggingEnabled(CHANGELOG);
    }
}
