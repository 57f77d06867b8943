package io.myolotrain.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.sampling.Window;
import io.myolotrain.schemas.SchemaRegistry;
import io.myolotrain.schemas.Undecodable;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.DeadLetter;
import io.myolotrain.topics.Decoded;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

    private void loss(long step, double value) {
        var line = new Line(new PoolId(POOL), new JobId("job"), "a1", new Generation(1));
        var origin = new Origin(line, step, new WorkerId("w0"), 0, 1_000 + step);
        var reading = Reading.scalar(origin, "train.loss", value);
        send(codecs.of(Topics.METRIC_SAMPLES).encode(reading));
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

    /** Case G14: a store that changes its name starts empty. */
    @Test
    void G14_nodes_and_stores_have_fixed_names() {
        String topology = SamplerTopology.build(codecs, SamplerOptions.in(directory), counts)
                .describe()
                .toString();

        assertThat(topology)
                .contains("reading-source", "sampler (stores: [open-points])", "point-sink", "dead-letter-sink")
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
