package io.myolotrain.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Content;
import io.myolotrain.core.sampling.HistogramTally;
import io.myolotrain.core.sampling.Histograms;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.Matrix;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPattern;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.sampling.SamplingPolicy;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.core.sampling.SamplingRules;
import io.myolotrain.core.sampling.Scalars;
import io.myolotrain.core.sampling.Spans;
import io.myolotrain.core.sampling.Window;
import io.myolotrain.schemas.SchemaRegistry;
import io.myolotrain.schemas.Undecodable;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.DeadLetter;
import io.myolotrain.topics.Decoded;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.SamplingEvent;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.Topics;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.avro.Schema;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SamplerTopologyTest {
    private static final String POOL = "pool";
    private final Codecs codecs = Codecs.of(new SchemasInMemory());
    private final SamplerCounts counts = new SamplerCounts();

    @TempDir
    Path directory;

    private TopologyTestDriver driver;

    @BeforeEach
    void start() {
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
        driver = new TopologyTestDriver(
                SamplerTopology.build(codecs, SamplerOptions.in(directory), counts),
                settings,
                Instant.ofEpochMilli(1_700_000_000_000L));
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    private void send(byte @Nullable [] value) {
        driver.createInputTopic(Topics.METRIC_SAMPLES.name(), new StringSerializer(), new ByteArraySerializer())
                .pipeInput(POOL, value);
    }

    private static Origin origin(long step) {
        var line = new Line(new PoolId(POOL), new JobId("job"), "a1", new Generation(1));
        return new Origin(line, step, new WorkerId("w0"), 0, 1_000 + step);
    }

    private void report(long step, Content content) {
        send(codecs.of(Topics.METRIC_SAMPLES).encode(new Reading(origin(step), content)));
    }

    private void loss(long step, double value) {
        report(step, Scalars.of("train.loss", value));
    }

    private void ask(String pool, SamplingRequest request) {
        var header = new Ingress.Header("e-1", new PoolId(pool), "alice", 1);
        driver.createInputTopic(Topics.SAMPLING_CHANGES.name(), new StringSerializer(), new ByteArraySerializer())
                .pipeInput(POOL, codecs.of(Topics.SAMPLING_CHANGES).encode(new SamplingEvent(header, request)));
    }

    private void rules(SamplingRules.Rule... rules) {
        ask(POOL, new SamplingRequest.PolicyChange(new JobId("job"), new SamplingRules(List.of(rules)), "alice"));
    }

    private static SamplingRules.Rule rule(String pattern, SamplingPolicy policy) {
        return new SamplingRules.Rule(new MetricPattern(pattern), policy);
    }

    private <V> List<V> read(Topic<V> topic) {
        var out = driver.createOutputTopic(topic.name(), new StringDeserializer(), new ByteArrayDeserializer());
        var values = new ArrayList<V>();
        while (!out.isEmpty()) {
            if (codecs.of(topic).decode(out.readValue()) instanceof Decoded.Value<V> known) {
                values.add(known.value());
            }
        }
        return values;
    }

    @Test
    void readings_become_points_of_each_step_and_of_ten() {
        for (int step = 1; step <= 10; step++) {
            loss(step, step);
        }
        driver.advanceWallClockTime(Duration.ofMillis(200));

        List<MetricPoint> points = read(Topics.METRIC_SERIES);
        assertThat(points).filteredOn(p -> p.window().equals(Window.EACH_STEP)).hasSize(10);
        assertThat(points)
                .filteredOn(p -> p.window().equals(Window.steps(10)))
                .extracting(MetricPoint::firstStep, MetricPoint::lastStep, MetricPoint::mean)
                .containsExactly(tuple(1L, 9L, 5.0));
    }

    @Test
    void what_cannot_be_read_is_put_aside_and_the_next_reading_counts() {
        send(new byte[] {1, 2, 3});
        send(null);
        loss(1, 0.5);
        driver.advanceWallClockTime(Duration.ofMillis(200));

        assertThat(read(Topics.DEAD_LETTERS)).extracting(DeadLetter::offset).containsExactly(0L, 1L);
        assertThat(read(Topics.METRIC_SERIES)).isNotEmpty();
        assertThat(counts.all()).containsEntry(SamplerCounts.UNREADABLE, 2L).containsEntry(SamplerCounts.READINGS, 1L);
    }

    @Test
    void readings_of_one_record_become_points_of_each_name() {
        report(1, new Scalars(List.of(new Scalars.Scalar("a", 1), new Scalars.Scalar("b", Double.NaN))));
        driver.advanceWallClockTime(Duration.ofMillis(200));

        assertThat(read(Topics.METRIC_SERIES))
                .extracting(MetricPoint::name, MetricPoint::count, MetricPoint::nonFinite)
                .containsExactlyInAnyOrder(tuple("a", 1L, 0L), tuple("b", 0L, 1L));
    }

    @Test
    void F05_frames_pass_whole_whatever_their_values_and_by_the_policy_of_their_name() {
        var tally = new HistogramTally();
        float[] spoilt = {1, Float.NaN, Float.NEGATIVE_INFINITY, 0};
        for (int step = 1; step <= 30; step++) {
            report(step, new Histograms("gradient.histogram", List.of(tally.of(0, FloatBuffer.wrap(spoilt), 0, 4))));
        }
        report(31, new Matrix("attention.entropy", 1, 1, List.of(Float.NaN)));

        List<MetricFrame> frames = read(Topics.METRIC_FRAMES);
        assertThat(frames).extracting(f -> f.origin().step()).containsExactly(10L, 20L, 30L, 31L);
        assertThat(((Histograms) frames.get(0).frame()).layers().get(0).nans()).isEqualTo(1);
    }

    @Test
    void the_rules_of_a_job_change_while_it_runs() {
        rules(rule("loss", new SamplingPolicy.ByStep(2)), rule("spans", new SamplingPolicy.ByStep(5)));
        for (int step = 1; step <= 10; step++) {
            loss(step, step);
            report(step, new Spans("step.spans", 1, List.of()));
        }
        driver.advanceWallClockTime(Duration.ofMillis(200));

        assertThat(read(Topics.METRIC_SERIES))
                .extracting(MetricPoint::window)
                .contains(Window.steps(2))
                .doesNotContain(Window.EACH_STEP);
        assertThat(read(Topics.METRIC_FRAMES))
                .extracting(f -> f.origin().step())
                .containsExactly(5L, 10L);

        rules();
        loss(11, 1);
        driver.advanceWallClockTime(Duration.ofMillis(200));
        assertThat(read(Topics.METRIC_SERIES)).extracting(MetricPoint::window).contains(Window.EACH_STEP);
    }

    @Test
    void a_request_for_another_pool_than_its_key_is_put_aside() {
        ask("other", new SamplingRequest.PolicyChange(new JobId("job"), new SamplingRules(List.of()), "mallory"));

        assertThat(read(Topics.DEAD_LETTERS)).singleElement().satisfies(letter -> assertThat(letter.reason())
                .contains("key=pool pool=other"));
    }

    @Test
    void F15_a_frame_that_is_too_large_is_dropped_and_a_reading_says_so() {
        for (int i = 0; i < 40; i++) {
            report(i + 1, new Matrix("attention.entropy", 256, 256, Collections.nCopies(65_536, 1f)));
        }
        driver.advanceWallClockTime(Duration.ofMillis(100));
        driver.advanceWallClockTime(Duration.ofMillis(100));

        int passed = read(Topics.METRIC_FRAMES).size();
        assertThat((long) passed * 65_536 * 4).isLessThan(Frames.BYTES_PER_FLUSH_MAX);
        assertThat(read(Topics.METRIC_SERIES))
                .filteredOn(p -> p.window().equals(Window.EACH_STEP))
                .singleElement()
                .satisfies(point -> {
                    assertThat(point.name()).isEqualTo("sampler.dropped.frames");
                    assertThat(point.last()).isEqualTo(40 - passed);
                });
    }

    /** Case G14: a store that changes its name starts empty. */
    @Test
    void G14_nodes_and_stores_have_fixed_names() {
        String topology = SamplerTopology.build(codecs, SamplerOptions.in(directory), counts)
                .describe()
                .toString();

        assertThat(topology)
                .contains(
                        "reading-source",
                        "request-source",
                        "sampler (stores: [open-points, rules])",
                        "point-sink",
                        "frame-sink",
                        "dead-letter-sink")
                .doesNotContain("KSTREAM", "KTABLE", "0000");
    }

    /** A registry that knows what was registered here. */
    private static final class SchemasInMemory implements SchemaRegistry {
        private final List<Schema> schemas = new ArrayList<>();

        @Override
        public int idFor(String subject, Schema schema) {
            if (!schemas.contains(schema)) {
                schemas.add(schema);
            }
            return schemas.indexOf(schema) + 1;
        }

        @Override
        public Schema schemaById(int id) throws Undecodable {
            if (id < 1 || id > schemas.size()) {
                throw new Undecodable("a schema must be known to the registry: schemaId=" + id);
            }
            return schemas.get(id - 1);
        }

        @Override
        public Optional<String> compatibility(String subject) {
            return Optional.of(FULL_TRANSITIVE);
        }

        @Override
        public void setCompatibility(String subject, String level) {
            // Every level is this one's.
        }

        @Override
        public void close() {
            // Nothing to release.
        }
    }
}
