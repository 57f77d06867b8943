package io.myolotrain.topics;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.schemas.avro.ConfigEvent;
import io.myolotrain.schemas.avro.ProgressEvent;
import io.myolotrain.schemas.avro.WorkerEvent;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Every topic. All carry the broker's clock (LogAppendTime): an event's own time is a field, so a sender with a wrong clock
 * can neither have its events deleted at once nor be refused.
 */
public final class Topics {
    /** The ingress topics, the journal and what follows from it are partitioned alike, so that a pool stays together. */
    private static final int POOL_PARTITIONS = 4;

    private static final int SERIES_PARTITIONS = 4;

    private static final int MIB = 1 << 20;

    /** A plan of 1,000 workers and 65,536 shards is about 1 MB; a decision may hold one per job. */
    private static final int PLAN_BYTES_MAX = 8 * MIB;

    private static final String POOL_KEY = "pool id";

    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration MONTH = Duration.ofDays(30);
    private static final Duration QUARTER = Duration.ofDays(90);

    private static final IngressMapping<ConfigEvent> CONFIG_MAPPING =
            new IngressMapping<>(ConfigEvent.class, ConfigEvent.getClassSchema(), ConfigEvent::new);
    private static final IngressMapping<WorkerEvent> WORKER_MAPPING =
            new IngressMapping<>(WorkerEvent.class, WorkerEvent.getClassSchema(), WorkerEvent::new);
    private static final IngressMapping<ProgressEvent> PROGRESS_MAPPING =
            new IngressMapping<>(ProgressEvent.class, ProgressEvent.getClassSchema(), ProgressEvent::new);

    /** What people and programs ask for. */
    public static final Topic<Ingress> CONFIG_CHANGES =
            new Topic<>("config-changes", POOL_KEY, POOL_PARTITIONS, keptForEver(MIB), CONFIG_MAPPING);

    /** Who is in the pool. */
    public static final Topic<Ingress> WORKER_EVENTS =
            new Topic<>("worker-events", POOL_KEY, POOL_PARTITIONS, kept(WEEK, MIB), WORKER_MAPPING);

    /** How the plans in force get on. */
    public static final Topic<Ingress> STEP_COMPLETIONS =
            new Topic<>("step-completions", POOL_KEY, POOL_PARTITIONS, kept(WEEK, MIB), PROGRESS_MAPPING);

    /** The log of truth: one order per pool. */
    public static final Topic<JournalLine> JOURNAL =
            new Topic<>("journal", POOL_KEY, POOL_PARTITIONS, keptForEver(2 * MIB), new JournalMapping());

    /** From the coordinator to the workers; the decisions keep each plan for ever. */
    public static final Topic<Plan> REBALANCE_PLANS =
            new Topic<>("rebalance-plans", POOL_KEY, POOL_PARTITIONS, kept(WEEK, PLAN_BYTES_MAX), new PlanMapping());

    /** What the coordinator made of each journal entry. */
    public static final Topic<Decision> DECISIONS =
            new Topic<>("decisions", POOL_KEY, POOL_PARTITIONS, keptForEver(PLAN_BYTES_MAX), new DecisionMapping());

    /** Metric values as the workers report them. */
    public static final Topic<Reading> METRIC_SAMPLES =
            new Topic<>("metric-samples", POOL_KEY, POOL_PARTITIONS, kept(WEEK, MIB), new ReadingMapping());

    /** Metric values as charts want them. */
    public static final Topic<MetricPoint> METRIC_SERIES =
            new Topic<>("metric-series", "pool/job/metric", SERIES_PARTITIONS, keptForEver(MIB), new PointMapping());

    /** Histograms, matrices and timelines as pages want them; a topic of their own, so that no curve reads past them. */
    public static final Topic<MetricFrame> METRIC_FRAMES =
            new Topic<>("metric-frames", "pool/job/metric", SERIES_PARTITIONS, kept(MONTH, MIB), new FrameMapping());

    /**
     * What people ask of readings: sampler and workers follow it. Not for the coordinator, because it changes nothing of
     * what is trained; partitioned like the readings, so that a sampler's task sees both.
     */
    public static final Topic<SamplingEvent> SAMPLING_CHANGES =
            new Topic<>("sampling-changes", POOL_KEY, POOL_PARTITIONS, keptForEver(MIB), new SamplingMapping());

    /** What could not be read or was not allowed in; holds the biggest ingress record whole. */
    public static final Topic<DeadLetter> DEAD_LETTERS = new Topic<>(
            "dead-letters", "pool id, or the topic's name", 1, kept(QUARTER, 2 * MIB), new DeadLetterMapping());

    private Topics() {}

    /** In the order of the walk of an event. */
    public static List<Topic<?>> all() {
        return List.of(
                CONFIG_CHANGES,
                WORKER_EVENTS,
                STEP_COMPLETIONS,
                JOURNAL,
                REBALANCE_PLANS,
                DECISIONS,
                METRIC_SAMPLES,
                METRIC_SERIES,
                METRIC_FRAMES,
                SAMPLING_CHANGES,
                DEAD_LETTERS);
    }

    /** The topics that everyone may write and the sequencer reads. */
    public static List<Topic<Ingress>> ingress() {
        return List.of(CONFIG_CHANGES, WORKER_EVENTS, STEP_COMPLETIONS);
    }

    /** The ingress topic of this kind of event; the sequencer's own events have none. */
    public static Topic<Ingress> ingressOf(Event event) {
        var body = EventMapping.BODIES.toAvro(event);
        for (Topic<Ingress> topic : ingress()) {
            if (((IngressMapping<?>) topic.mapping()).accepts(body)) {
                return topic;
            }
        }
        throw new IllegalArgumentException("only the sequencer makes this event: event=" + event);
    }

    /** Key of a point in {@link #METRIC_SERIES}: all points of a chart's line are in one partition, in order. */
    public static String seriesKey(MetricPoint point) {
        return seriesKey(point.line(), point.name());
    }

    /** Key of a frame in {@link #METRIC_FRAMES}. */
    public static String frameKey(MetricFrame frame) {
        return seriesKey(frame.origin().line(), frame.frame().name());
    }

    /** How every key of a job's series and frames begins. */
    public static String seriesKeysOf(PoolId pool, JobId job) {
        return pool + "/" + job + "/";
    }

    private static String seriesKey(Line line, String metric) {
        return seriesKeysOf(line.pool(), line.job()) + metric;
    }

    private static SortedMap<String, String> keptForEver(int recordBytesMax) {
        return configs(-1, recordBytesMax);
    }

    private static SortedMap<String, String> kept(Duration retention, int recordBytesMax) {
        return configs(retention.toMillis(), recordBytesMax);
    }

    private static SortedMap<String, String> configs(long retentionMs, int recordBytesMax) {
        var configs = new TreeMap<String, String>();
        configs.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        configs.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(retentionMs));
        configs.put(TopicConfig.RETENTION_BYTES_CONFIG, "-1");
        configs.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(recordBytesMax));
        return configs;
    }
}
