package io.myolotrain.sampler;

import static java.util.Objects.requireNonNull;

import io.myolotrain.core.sampling.Frame;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.core.sampling.Scalars;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.DeadLetter;
import io.myolotrain.topics.Decoded;
import io.myolotrain.topics.SamplingEvent;
import io.myolotrain.topics.TopicCodec;
import io.myolotrain.topics.Topics;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Readings → points and frames, by the rules that the requests set. */
final class SamplerProcessor implements Processor<String, byte[], String, byte[]> {
    private static final byte[] NONE = {};
    private static final int PARTITIONS_MAX = 1_024;

    private final TopicCodec<Reading> readings;
    private final TopicCodec<SamplingEvent> requests;
    private final TopicCodec<MetricPoint> points;
    private final TopicCodec<MetricFrame> frames;
    private final TopicCodec<DeadLetter> deadLetters;
    private final SamplerOptions options;
    private final SamplerCounts counts;
    private final LongAdder recordCount;
    private final LongAdder readingCount;
    private final LongAdder pointCount;
    private @Nullable Running running;
    private final CommitPace pace = new CommitPace();

    /** What belongs to one life of the task. */
    private record Running(
            ProcessorContext<String, byte[]> context,
            KeyValueStore<String, byte[]> rules,
            Rollups rollups,
            Frames frames,
            Own own) {}

    SamplerProcessor(Codecs codecs, SamplerOptions options, SamplerCounts counts) {
        this.readings = codecs.of(Topics.METRIC_SAMPLES);
        this.requests = codecs.of(Topics.SAMPLING_CHANGES);
        this.points = codecs.of(Topics.METRIC_SERIES);
        this.frames = codecs.of(Topics.METRIC_FRAMES);
        this.deadLetters = codecs.of(Topics.DEAD_LETTERS);
        this.options = options;
        this.counts = counts;
        this.recordCount = counts.of(SamplerCounts.RECORDS);
        this.readingCount = counts.of(SamplerCounts.READINGS);
        this.pointCount = counts.of(SamplerCounts.POINTS);
    }

    /** Also called on a processor that has run before: a task that lost its transaction starts again from its stores. */
    @Override
    public void init(ProcessorContext<String, byte[]> context) {
        OpenPoints store = context.getStateStore(SamplerTopology.OPEN_POINTS);
        KeyValueStore<String, byte[]> rules = context.getStateStore(SamplerTopology.RULES);
        var own = new Own();
        var rollups = new Rollups((origin, reason, count) -> {
            counts.dropped(reason, count);
            own.dropped(origin, reason, count);
        });
        var now = new Running(context, rules, rollups, new Frames(), own);
        try (KeyValueIterator<String, byte[]> all = rules.all()) {
            while (all.hasNext()) {
                KeyValue<String, byte[]> kept = all.next();
                if (requests.decode(kept.value) instanceof Decoded.Value<SamplingEvent> known) {
                    follow(now, known.value());
                }
            }
        }
        store.all().forEach(point -> rollups.recall(point, context.currentSystemTimeMs()));
        store.beforeCommit(rollups::store);
        running = now;
        context.schedule(options.flush(), PunctuationType.WALL_CLOCK_TIME, this::flushAndCommit);
    }

    @Override
    public void process(Record<String, byte[]> record) {
        Running now = requireNonNull(running);
        RecordMetadata at = now.context().recordMetadata().orElseThrow();
        pace.read(record.timestamp());
        recordCount.increment();
        if (record.value() == null) {
            reject(now, at, record, "a record has a value: value=null");
        } else if (at.topic().equals(Topics.SAMPLING_CHANGES.name())) {
            request(now, at, record);
        } else {
            Decoded<Reading> decoded = readings.decode(record.value());
            if (decoded instanceof Decoded.Value<Reading> read) {
                add(now, at, read.value());
            } else {
                reject(now, at, record, ((Decoded.Unreadable<Reading>) decoded).reason());
            }
        }
    }

    private void add(Running now, RecordMetadata at, Reading reading) {
        long nowMs = now.context().currentSystemTimeMs();
        if (reading.content() instanceof Scalars scalars) {
            readingCount.add(scalars.values().size());
            long part = part(at);
            for (Scalars.Scalar value : scalars.values()) {
                now.rollups().add(reading.origin(), value.name(), value.value(), part, nowMs);
            }
            if (now.rollups().isFull()) {
                flush(nowMs);
            }
        } else {
            frame(now, new MetricFrame(reading.origin(), (Frame) reading.content()), nowMs);
        }
    }

    /** Unique over all partitions, and the same when the record is read again. */
    private static long part(RecordMetadata at) {
        return at.offset() * PARTITIONS_MAX + at.partition();
    }

    private void frame(Running now, MetricFrame frame, long nowMs) {
        readingCount.increment();
        Origin origin = frame.origin();
        if (!now.frames()
                .keeps(
                        frame,
                        now.rollups()
                                .rules(origin.line())
                                .policyFor(frame.frame().name()))) {
            counts.dropped("policy", 1); // as asked: nobody misses it
            return;
        }
        byte[] bytes = frames.encode(frame);
        if (!now.frames().fits(bytes.length)) {
            counts.dropped("frames", 1);
            now.own().dropped(origin, "frames", 1);
            return;
        }
        counts.count(SamplerCounts.FRAMES, 1);
        now.context().forward(new Record<>(Topics.frameKey(frame), bytes, nowMs), SamplerTopology.FRAME_SINK);
    }

    private void request(Running now, RecordMetadata at, Record<String, byte[]> record) {
        Decoded<SamplingEvent> decoded = requests.decode(record.value());
        if (!(decoded instanceof Decoded.Value<SamplingEvent> read)) {
            reject(now, at, record, ((Decoded.Unreadable<SamplingEvent>) decoded).reason());
            return;
        }
        SamplingEvent event = read.value();
        if (!event.header().pool().value().equals(record.key())) {
            reject(
                    now,
                    at,
                    record,
                    "a record's key must be its pool: key=" + record.key() + " pool="
                            + event.header().pool());
        } else if (event.request() instanceof SamplingRequest.PolicyChange change) {
            String key = event.header().pool() + "/" + change.job();
            if (change.rules().rules().isEmpty()) {
                now.rules().delete(key);
            } else {
                now.rules().put(key, record.value());
            }
            follow(now, event);
        }
    }

    private static void follow(Running now, SamplingEvent event) {
        if (event.request() instanceof SamplingRequest.PolicyChange change) {
            now.rollups()
                    .follow(
                            new SeriesTable.JobKey(event.header().pool(), change.job()),
                            change.rules().beforeStandard());
        }
    }

    private void flushAndCommit(long nowMs) {
        flush(nowMs);
        if (pace.isDue(nowMs)) {
            requireNonNull(running).context().commit();
        }
    }

    private void flush(long nowMs) {
        Running now = requireNonNull(running);
        now.own().drain((origin, dropped) -> now.rollups()
                .addOwn(origin, dropped.getKey(), dropped.getValue().doubleValue(), nowMs, nowMs));
        now.rollups().flush(nowMs, point -> {
            pointCount.increment();
            pace.published();
            now.context()
                    .forward(
                            new Record<>(Topics.seriesKey(point), points.encode(point), nowMs),
                            SamplerTopology.POINT_SINK);
        });
        now.frames().flushed();
    }

    private void reject(Running now, RecordMetadata at, Record<String, byte[]> record, String reason) {
        counts.count(SamplerCounts.UNREADABLE, 1);
        long nowMs = now.context().currentSystemTimeMs();
        byte[] bytes = record.value() == null ? NONE : record.value();
        var letter = new DeadLetter(at.topic(), at.partition(), at.offset(), reason, bytes, nowMs);
        now.context()
                .forward(new Record<>(at.topic(), deadLetters.encode(letter), nowMs), SamplerTopology.DEAD_LETTER_SINK);
    }
}
