package io.myolotrain.sampler;

import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.Topics;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.Stores;

/**
 * <pre>
 *   metric-samples ───┐                                       ┌─> metric-series
 *                     ├─> sampler [open-points, rules] ───────┼─> metric-frames
 *   sampling-changes ─┘                                       └─> dead-letters
 * </pre>
 *
 * Every node and store has a fixed name.
 */
final class SamplerTopology {
    static final String OPEN_POINTS = "open-points";
    static final String RULES = "rules";
    static final String POINT_SINK = "point-sink";
    static final String FRAME_SINK = "frame-sink";
    static final String DEAD_LETTER_SINK = "dead-letter-sink";

    private static final String READING_SOURCE = "reading-source";
    private static final String REQUEST_SOURCE = "request-source";
    private static final String SAMPLER = "sampler";
    private static final Map<String, String> CHANGELOG = Map.of(
            TopicConfig.SEGMENT_BYTES_CONFIG,
            String.valueOf(16 << 20),
            TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
            "0.2");

    private SamplerTopology() {}

    static Topology build(Codecs codecs, SamplerOptions options, SamplerCounts counts) {
        var topology = new Topology();
        source(topology, READING_SOURCE, Topics.METRIC_SAMPLES);
        source(topology, REQUEST_SOURCE, Topics.SAMPLING_CHANGES);
        topology.addProcessor(
                SAMPLER, () -> new SamplerProcessor(codecs, options, counts), READING_SOURCE, REQUEST_SOURCE);
        topology.addStateStore(OpenPoints.builder(OPEN_POINTS, codecs.of(Topics.METRIC_SERIES), CHANGELOG), SAMPLER);
        topology.addStateStore(
                Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(RULES), Serdes.String(), Serdes.ByteArray())
                        .withLoggingEnabled(CHANGELOG),
                SAMPLER);
        sink(topology, POINT_SINK, Topics.METRIC_SERIES);
        sink(topology, FRAME_SINK, Topics.METRIC_FRAMES);
        sink(topology, DEAD_LETTER_SINK, Topics.DEAD_LETTERS);
        return topology;
    }

    private static void source(Topology topology, String name, Topic<?> topic) {
        topology.addSource(
                AutoOffsetReset.earliest(), name, new StringDeserializer(), new ByteArrayDeserializer(), topic.name());
    }

    private static void sink(Topology topology, String name, Topic<?> topic) {
        topology.addSink(name, topic.name(), new StringSerializer(), new ByteArraySerializer(), SAMPLER);
    }
}
