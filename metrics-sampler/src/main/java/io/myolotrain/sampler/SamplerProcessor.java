package io.myolotrain.sampler;

import static java.util.Objects.requireNonNull;

import io.myolotrain.core.sampling.Frame;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.sampling.Scalars;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.DeadLetter;
import io.myolotrain.topics.Decoded;
import io.myolotrain.topics.TopicCodec;
import io.myolotrain.topics.Topics;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Readings → points. Everything that matters happens in {@link Rollups}. */
final class SamplerProcessor implements Processor<String, byte[], String, byte[]> {
    private static final byte[] NONE = {};
    private static final int PARTITIONS_MAX = 1_024;

    private final TopicCodec<Reading> readings;
    private final TopicCodec<MetricPoint> points;
    private final TopicCodec<MetricFrame> frames;
    private final TopicCodec<DeadLetter> deadLetters;
    private final SamplerOptions options;
    private final SamplerCounts counts;
    private @Nullable ProcessorContext<String, byte[]> context;
    private @Nullable Rollups rollups;

    SamplerProcessor(Codecs codecs, SamplerOptions options, SamplerCounts counts) {
        this.readings = codecs.of(Topics.METRIC_SAMPLES);
        this.points = codecs.of(Topics.METRIC_SERIES);
        this.frames = codecs.of(Topics.METRIC_FRAMES);
        this.deadLetters = codecs.of(Topics.DEAD_LETTERS);
        this.options = options;
        this.counts = counts;
    }

    /** Also called on a processor that has run before: a task that lost its transaction starts again from its store. */
    @Override
    public void init(ProcessorContext<String, byte[]> newContext) {
        KeyValueStore<String, byte[]> store = newContext.getStateStore(SamplerTopology.OPEN_POINTS);
        var fresh = new Rollups(options.rules(), new KeptPoints(store, points), counts);
        KeptPoints.recall(store, points).forEach(point -> fresh.recall(point, newContext.currentSystemTimeMs()));
        context = newContext;
        rollups = fresh;
        newContext.schedule(options.flush(), PunctuationType.WALL_CLOCK_TIME, this::flush);
    }

    @Override
    public void process(Record<String, byte[]> record) {
        if (record.value() == null) {
            reject(record, "a reading has a value: value=null");
            return;
        }
        Decoded<Reading> decoded = readings.decode(record.value());
        if (decoded instanceof Decoded.Value<Reading> read) {
            counts.count(SamplerCounts.READINGS, 1);
            add(read.value());
        } else {
            reject(record, ((Decoded.Unreadable<Reading>) decoded).reason());
        }
    }

    private void add(Reading reading) {
        long nowMs = requireNonNull(context).currentSystemTimeMs();
        if (reading.content() instanceof Scalars scalars) {
            long part = part();
            for (Scalars.Scalar value : scalars.values()) {
                requireNonNull(rollups).add(reading.origin(), value.name(), value.value(), part, nowMs);
            }
        } else {
            var frame = new MetricFrame(reading.origin(), (Frame) reading.content());
            counts.count(SamplerCounts.FRAMES, 1);
            requireNonNull(context)
                    .forward(
                            new Record<>(Topics.frameKey(frame), frames.encode(frame), nowMs),
                            SamplerTopology.FRAME_SINK);
        }
    }

    /** Unique over all partitions, and the same when the record is read again. */
    private long part() {
        RecordMetadata at = requireNonNull(context).recordMetadata().orElseThrow();
        return at.offset() * PARTITIONS_MAX + at.partition();
    }

    private void flush(long nowMs) {
        for (MetricPoint point : requireNonNull(rollups).flush(nowMs)) {
            counts.count(SamplerCounts.POINTS, 1);
            requireNonNull(context)
                    .forward(
                            new Record<>(Topics.seriesKey(point), points.encode(point), nowMs),
                            SamplerTopology.POINT_SINK);
        }
    }

    private void reject(Record<String, byte[]> record, String reason) {
        counts.count(SamplerCounts.UNREADABLE, 1);
        RecordMetadata at = requireNonNull(context).recordMetadata().orElseThrow();
        long nowMs = requireNonNull(context).currentSystemTimeMs();
        byte[] bytes = record.value() == null ? NONE : record.value();
        var letter = new DeadLetter(at.topic(), at.partition(), at.offset(), reason, bytes, nowMs);
        requireNonNull(context)
                .forward(new Record<>(at.topic(), deadLetters.encode(letter), nowMs), SamplerTopology.DEAD_LETTER_SINK);
    }
}
