package io.myolotrain.sampler;

import io.myolotrain.topics.Codecs;
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

/** {@code metric-samples ─> sampler [open-points] ─> metric-series, metric-frames}; every node and store has a fixed name. */
final class SamplerTopology {
    static final String OPEN_POINTS = "open-points";
    static final String POINT_SINK = "point-sink";
    static final String FRAME_SINK = "frame-sink";
    static final String DEAD_LETTER_SINK = "dead-letter-sink";

    private static final String SOURCE = "reading-source";
    private static final String SAMPLER = "sampler";
    private static final Map<String, String> CHANGELOG = Map.of(
            TopicConfig.SEGMENT_BYTES_CONFIG,
            String.valueOf(16 << 20),
            TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
            "0.2");

    private SamplerTopology() {}

    static Topology build(Codecs codecs, SamplerOptions options, SamplerCounts counts) {
        var topology = new Topology();
        topology.addSource(
                AutoOffsetReset.earliest(),
                SOURCE,
                new StringDeserializer(),
                new ByteArrayDeserializer(),
                Topics.METRIC_SAMPLES.name());
        topology.addProcessor(SAMPLER, () -> new SamplerProcessor(codecs, options, counts), SOURCE);
        // Cached: a point that grows with each reading reaches the changelog once per commit.
        topology.addStateStore(
                Stores.keyValueStoreBuilder(
                                Stores.persistentKeyValueStore(OPEN_POINTS), Serdes.String(), Serdes.ByteArray())
                        .withCachingEnabled()
                        .withLoggingEnabled(CHANGELOG),
                SAMPLER);
        topology.addSink(
                POINT_SINK, Topics.METRIC_SERIES.name(), new StringSerializer(), new ByteArraySerializer(), SAMPLER);
        topology.addSink(
                FRAME_SINK, Topics.METRIC_FRAMES.name(), new StringSerializer(), new ByteArraySerializer(), SAMPLER);
        topology.addSink(
                DEAD_LETTER_SINK,
                Topics.DEAD_LETTERS.name(),
                new StringSerializer(),
                new ByteArraySerializer(),
                SAMPLER);
        return topology;
    }
}
