package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.DeadLetter;
import io.myolotrain.topics.Decoded;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.JournalLine;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** The whole topology without a broker: real codecs, a registry in memory, stores that outlive a restart. */
final class Harness implements AutoCloseable {
    static final long START_MS = 1_700_000_000_000L;

    final FakeRegistry registry = new FakeRegistry();
    final Codecs codecs = Codecs.of(registry);
    final CoordinatorOptions options;
    final Counters counters = new Counters();
    private final Supplier<Fold.Rules> rules;
    private final TreeMap<String, Disk> disks = new TreeMap<>();
    private final Path stateDirectory;
    private boolean reachable = true;
    private TopologyTestDriver driver;
    private long nowMs = START_MS;
    private long nextId;

    Harness(Path stateDirectory) {
        this(stateDirectory, CoordinatorOptions.in(stateDirectory), CoreRules::new);
    }

    Harness(Path stateDirectory, CoordinatorOptions options, Supplier<Fold.Rules> rules) {
        this.stateDirectory = stateDirectory;
        this.options = options;
        this.rules = rules;
        this.driver = newDriver();
    }

    Topology topology() {
        return CoordinatorTopology.build(
                new Wire(codecs), rules, options, () -> reachable, counters, name -> disks.computeIfAbsent(
                                name, n -> new Disk())
                        .supplier(name));
    }

    private TopologyTestDriver newDriver() {
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
        return new TopologyTestDriver(topology(), settings, Instant.ofEpochMilli(nowMs));
    }

    /** Another process takes over with the same stores; input offsets start at 0 again. */
    void restart() {
        driver.close();
        driver = newDriver();
    }

    void reachable(boolean is) {
        reachable = is;
    }

    long nowMs() {
        return nowMs;
    }

    /** Time passes and the sequencer looks at its clock all the while. */
    void pass(long ms) {
        for (long left = ms; left > 0; ) {
            long stepMs = Math.min(left, options.clocks().tick().toMillis());
            driver.advanceWallClockTime(Duration.ofMillis(stepMs));
            nowMs += stepMs;
            left -= stepMs;
        }
    }

    /** Time passes while the sequencer stands still. */
    void stall(long ms) {
        driver.advanceWallClockTime(Duration.ofMillis(ms));
        nowMs += ms;
    }

    String send(Event event) {
        String id = "event-" + nextId++;
        send(id, event);
        return id;
    }

    void send(String id, Event event) {
        Topic<Ingress> topic = Topics.ingressOf(event);
        raw(topic.name(), Given.POOL.value(), codecs.of(topic).encode(Given.ingress(id, event, nowMs)), nowMs);
    }

    void heartbeat(WorkerRef ref) {
        heartbeat(ref, nowMs);
    }

    /** Read now, and written into the log at that time. */
    void heartbeat(WorkerRef ref, long writtenAtMs) {
        raw(
                Topics.WORKER_EVENTS.name(),
                Given.POOL.value(),
                codecs.of(Topics.WORKER_EVENTS).encode(Given.heartbeat("beat-" + nextId++, ref, writtenAtMs)),
                writtenAtMs);
    }

    void raw(String topic, @Nullable String key, byte @Nullable [] value, long timestampMs) {
        TestInputTopic<String, byte[]> in =
                driver.createInputTopic(topic, new StringSerializer(), new ByteArraySerializer());
        in.pipeInput(new TestRecord<>(key, value, Instant.ofEpochMilli(timestampMs)));
    }

    List<JournalLine> journal() {
        return read(Topics.JOURNAL);
    }

    List<DeadLetter> deadLetters() {
        return read(Topics.DEAD_LETTERS);
    }

    List<Decision> decisions() {
        return read(Topics.DECISIONS);
    }

    List<Plan> plans() {
        return read(Topics.REBALANCE_PLANS);
    }

    List<Fact> facts() {
        return decisions().stream().flatMap(d -> d.facts().stream()).toList();
    }

    SortedMap<String, Long> counts() {
        return counters.all();
    }

    /** What was written to the topic since the last look. */
    private <V> List<V> read(Topic<V> topic) {
        var out = driver.createOutputTopic(topic.name(), new StringDeserializer(), new ByteArrayDeserializer());
        var values = new ArrayList<V>();
        while (!out.isEmpty()) {
            Decoded<V> decoded = codecs.of(topic).decode(out.readValue());
            if (!(decoded instanceof Decoded.Value<V> known)) {
                throw new AssertionError("the topology must write what it can read: " + decoded);
            }
            values.add(known.value());
        }
        return values;
    }

    @Override
    public void close() {
        driver.close();
    }
}
