package io.myolotrain.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Frame;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.core.sampling.Scalars;
import io.myolotrain.core.sampling.Spans;
import io.myolotrain.schemas.ConfluentRegistry;
import io.myolotrain.schemas.SchemaRegistry;
import io.myolotrain.schemas.TopicSchemas;
import io.myolotrain.schemas.avro.CollectiveOperation;
import io.myolotrain.schemas.avro.ConfigEvent;
import io.myolotrain.schemas.avro.EventHeader;
import io.myolotrain.schemas.avro.ModelFamily;
import io.myolotrain.schemas.avro.PointUnit;
import io.myolotrain.schemas.avro.Precision;
import io.myolotrain.schemas.avro.RunState;
import io.myolotrain.schemas.avro.Schedule;
import io.myolotrain.schemas.avro.SpanPhase;
import io.myolotrain.schemas.avro.Transport;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;

class MappingTest {
    private static final int ROUNDS = 50;

    private final long seed = System.nanoTime();
    private final Values values = new Values(seed);
    private final SchemaRegistry registry = new ConfluentRegistry(new MockSchemaRegistryClient());
    private final Codecs codecs = Codecs.of(registry);

    @Test
    void everyKindOfEventComesBackFromTheJournalAsItWas() {
        System.out.println("seed " + seed);
        for (Class<?> kind : Event.class.getPermittedSubclasses()) {
            for (int i = 0; i < ROUNDS; i++) {
                Event event = (Event) values.of(kind);
                assertRoundTrip(Topics.JOURNAL, new JournalLine("e-" + i, i, event));
            }
        }
    }

    @Test
    void everyKindOfFactComesBackFromTheDecisionsAsItWas() {
        System.out.println("seed " + seed);
        var facts = new ArrayList<Fact>();
        for (Class<?> kind : Fact.class.getPermittedSubclasses()) {
            for (int i = 0; i < ROUNDS; i++) {
                facts.add((Fact) values.of(kind));
            }
        }
        assertRoundTrip(Topics.DECISIONS, new Decision(7, "e-7", 1_700_000_000_000L, "planner-1", "abc", facts));
        assertRoundTrip(Topics.DECISIONS, new Decision(8, "e-8", 0, "planner-1", "abc", List.of()));
    }

    @Test
    void plansReadingsPointsAndDeadLettersComeBackAsTheyWere() {
        System.out.println("seed " + seed);
        for (int i = 0; i < ROUNDS; i++) {
            assertRoundTrip(Topics.REBALANCE_PLANS, values.of(Plan.class));
            assertRoundTrip(Topics.METRIC_SAMPLES, values.of(Reading.class));
            assertRoundTrip(Topics.METRIC_SERIES, values.of(MetricPoint.class));
            assertRoundTrip(Topics.DEAD_LETTERS, values.of(DeadLetter.class));
        }
    }

    @Test
    void everyKindOfContentComesBackFromTheReadingsAndEveryFrameFromTheFramesAsItWas() {
        System.out.println("seed " + seed);
        for (int i = 0; i < ROUNDS; i++) {
            Origin origin = values.of(Origin.class);
            assertRoundTrip(Topics.METRIC_SAMPLES, new Reading(origin, values.of(Scalars.class)));
            for (Class<?> kind : Frame.class.getPermittedSubclasses()) {
                Frame frame = (Frame) values.of(kind);
                assertRoundTrip(Topics.METRIC_SAMPLES, new Reading(origin, frame));
                assertRoundTrip(Topics.METRIC_FRAMES, new MetricFrame(origin, frame));
            }
        }
    }

    @Test
    void everySamplingRequestComesBackAsItWas() {
        System.out.println("seed " + seed);
        for (Class<?> kind : SamplingRequest.class.getPermittedSubclasses()) {
            for (int i = 0; i < ROUNDS; i++) {
                var request = (SamplingRequest) values.of(kind);
                assertRoundTrip(Topics.SAMPLING_CHANGES, new SamplingEvent(header(new PoolId("p")), request));
            }
        }
    }

    @Test
    void aReadingOfTheFirstSchemaIsReadAndASingleValueIsWrittenAsThere() throws Exception {
        Schema first = new Schema.Parser().parse("""
                {"type":"record","name":"MetricReading","namespace":"io.myolotrain.schemas.avro","fields":[
                  {"name":"pool","type":"string"},{"name":"job","type":"string"},{"name":"attempt","type":"string"},
                  {"name":"generation","type":"long"},{"name":"step","type":"long"},{"name":"worker","type":"string"},
                  {"name":"rank","type":"int"},{"name":"name","type":"string"},{"name":"value","type":"double"},
                  {"name":"atMs","type":"long"}]}""");
        var old = new GenericData.Record(first);
        old.put("pool", "p");
        old.put("job", "j");
        old.put("attempt", "a1");
        old.put("generation", 2L);
        old.put("step", 3L);
        old.put("worker", "w0");
        old.put("rank", 1);
        old.put("name", "train.loss");
        old.put("value", 0.5);
        old.put("atMs", 4L);
        var out = new ByteArrayOutputStream();
        out.writeBytes(io.myolotrain.schemas.WireFormat.header(registry.idFor("metric-samples-value", first)));
        var encoder = EncoderFactory.get().directBinaryEncoder(out, null);
        new GenericDatumWriter<GenericData.Record>(first).write(old, encoder);
        encoder.flush();

        var line = new Line(new PoolId("p"), new JobId("j"), "a1", new Generation(2));
        var reading = Reading.scalar(new Origin(line, 3, new WorkerId("w0"), 1, 4), "train.loss", 0.5);
        assertThat(codecs.of(Topics.METRIC_SAMPLES).decode(out.toByteArray())).isEqualTo(new Decoded.Value<>(reading));
        assertThat(new ReadingMapping().toAvro(reading).getName()).isEqualTo("train.loss");
    }

    @Test
    void everyEventThatAComponentMaySendHasOneIngressTopicAndComesBackAsItWas() {
        System.out.println("seed " + seed);
        for (Class<?> kind : Event.class.getPermittedSubclasses()) {
            Event event = (Event) values.of(kind);
            if (event instanceof Event.WorkerLost || event instanceof Event.TimerFired) {
                assertThatThrownBy(() -> Topics.ingressOf(event)).hasMessageContaining("only the sequencer");
            } else {
                assertRoundTrip(Topics.ingressOf(event), new EventIngress(header(poolOf(event)), event));
            }
        }
    }

    @Test
    void aHeartbeatComesBackAsItWas() {
        var heartbeat = values.of(Heartbeat.class);
        assertRoundTrip(Topics.WORKER_EVENTS, new HeartbeatIngress(header(heartbeat.pool()), heartbeat));
    }

    @Test
    void anEventInTheWrongTopicIsABugOfTheSender() {
        var event = values.of(Event.WorkerLeft.class);
        assertThatThrownBy(
                        () -> codecs.of(Topics.CONFIG_CHANGES).encode(new EventIngress(header(new PoolId("p")), event)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("WorkerLeave");
    }

    @Test
    void aJobThatNamesAnotherPoolThanItsHeaderIsUnreadable() {
        var event = values.of(Event.JobSubmitted.class);
        byte[] bytes =
                codecs.of(Topics.CONFIG_CHANGES).encode(new EventIngress(header(new PoolId("elsewhere")), event));
        assertUnreadable(Topics.CONFIG_CHANGES, bytes, "a body's pool must be its header's");
    }

    @Test
    void anEnvelopeWithoutABodyNamesTheKindThatItAnnounces() {
        var event = new ConfigEvent();
        event.setHeader(new EventHeader("e", "p", "s", 1L));
        event.setKind("PoolMerge");
        assertUnreadable(Topics.CONFIG_CHANGES, serialize(event), "kind=PoolMerge");
    }

    @Test
    void anEnvelopeWithTwoBodiesIsUnreadable() {
        var mapping = new IngressMapping<>(ConfigEvent.class, ConfigEvent.getClassSchema(), ConfigEvent::new);
        var change = new Event.ConfigChangeRequested(new JobId("j"), new TreeMap<>(), "alice");
        ConfigEvent event = mapping.toAvro(new EventIngress(header(new PoolId("p")), change));
        event.setJobSubmission(
                mapping.toAvro(new EventIngress(header(new PoolId("p")), values.of(Event.JobSubmitted.class)))
                        .getJobSubmission());
        assertUnreadable(Topics.CONFIG_CHANGES, serialize(event), "exactly one body");
    }

    @Test
    void aNameThatBreaksCoresRuleIsUnreadableWithThatRule() {
        var event = new ConfigEvent();
        event.setHeader(new EventHeader("e", "../etc", "s", 1L));
        event.setKind("");
        assertUnreadable(Topics.CONFIG_CHANGES, serialize(event), "pool must be 1 to 63 of");
        event.setHeader(new EventHeader("e".repeat(201), "p", "s", 1L));
        assertUnreadable(Topics.CONFIG_CHANGES, serialize(event), "eventId must have 1 to 200 characters");
    }

    @Test
    void G01_aSymbolOfANewerReleaseIsUnreadableAndSaysSo() {
        assertThatThrownBy(() -> Symbols.toCore(TrainingConfig.Schedule.class, Schedule.UNKNOWN))
                .hasMessageContaining("must be one that this release knows")
                .hasMessageContaining("upgrade the reader");
    }

    @Test
    void everyEnumHasCoresConstantsAndUnknown() {
        assertSymbols(ModelShape.Family.class, ModelFamily.class);
        assertSymbols(TrainingConfig.Schedule.class, Schedule.class);
        assertSymbols(TrainingConfig.Precision.class, Precision.class);
        assertSymbols(TrainingConfig.RunState.class, RunState.class);
        assertSymbols(JobSpec.Transport.class, Transport.class);
        assertSymbols(JobPhase.class, io.myolotrain.schemas.avro.JobPhase.class);
        assertSymbols(MetricPoint.Unit.class, PointUnit.class);
        assertSymbols(Spans.Phase.class, SpanPhase.class);
        assertSymbols(Spans.Operation.class, CollectiveOperation.class);
    }

    @Test
    void theCatalogueAndTheSchemasNameTheSameTopicsWithTheSameSchemas() {
        var schemas = new TreeMap<String, Object>();
        Topics.all()
                .forEach(topic -> schemas.put(
                        topic.name(),
                        SpecificData.get().getSchema(topic.mapping().type())));
        assertThat(schemas).isEqualTo(TopicSchemas.current());
    }

    @Test
    void randomBytesUnderAKnownSchemaAreAValueOrUnreadableOnEveryTopic() {
        System.out.println("seed " + seed);
        for (Topic<?> topic : Topics.all()) {
            TopicCodec<?> codec = codecs.of(topic);
            codec.prepare();
            int id = registry.idFor(
                    SchemaRegistry.valueSubject(topic.name()),
                    SpecificData.get().getSchema(topic.mapping().type()));
            for (int i = 0; i < 2_000; i++) {
                byte[] bytes = values.bytes(5 + i % 120);
                System.arraycopy(io.myolotrain.schemas.WireFormat.header(id), 0, bytes, 0, 5);
                assertThat(codec.decode(bytes)).isNotNull();
            }
        }
    }

    private <V> void assertRoundTrip(Topic<V> topic, V value) {
        TopicCodec<V> codec = codecs.of(topic);
        assertThat(codec.decode(codec.encode(value))).as("seed " + seed).isEqualTo(new Decoded.Value<>(value));
        assertThat(codec.serde()
                        .deserializer()
                        .deserialize(topic.name(), codec.serde().serializer().serialize(topic.name(), value)))
                .isEqualTo(value);
    }

    private <V> void assertUnreadable(Topic<V> topic, byte[] bytes, String reason) {
        assertThat(codecs.of(topic).decode(bytes))
                .isInstanceOfSatisfying(Decoded.Unreadable.class, unreadable -> assertThat(unreadable.reason())
                        .contains(reason));
    }

    private byte[] serialize(ConfigEvent event) {
        return new io.myolotrain.schemas.AvroSerializer<>(
                        registry, "config-changes-value", ConfigEvent.class, ConfigEvent.getClassSchema())
                .serialize(event);
    }

    private static Ingress.Header header(PoolId pool) {
        return new Ingress.Header("e-1", pool, "alice", 1_700_000_000_000L);
    }

    private static PoolId poolOf(Event event) {
        if (event instanceof Event.JobSubmitted submitted) {
            return submitted.spec().pool();
        }
        return event instanceof Event.WorkerJoined joined ? joined.worker().pool() : new PoolId("p");
    }

    private static void assertSymbols(Class<? extends Enum<?>> core, Class<? extends Enum<?>> avro) {
        var expected = new ArrayList<String>();
        expected.add("UNKNOWN");
        Arrays.stream(core.getEnumConstants()).map(Enum::name).forEach(expected::add);
        assertThat(Arrays.stream(avro.getEnumConstants()).map(Enum::name)).containsExactlyElementsOf(expected);
    }
}
