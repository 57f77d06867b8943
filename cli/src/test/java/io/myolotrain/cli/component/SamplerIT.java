package io.myolotrain.cli.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPattern;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.sampling.SamplingPolicy;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.core.sampling.SamplingRules;
import io.myolotrain.core.sampling.Spans;
import io.myolotrain.core.sampling.Window;
import io.myolotrain.sampler.SamplerApp;
import io.myolotrain.sampler.SamplerOptions;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.Provisioning;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.SamplingEvent;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sampler between a real broker's topics. */
class SamplerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final PoolId POOL = new PoolId("default");
    private static final Line LINE = new Line(POOL, new JobId("demo"), "a1", new Generation(1));

    @TempDir
    Path directory;

    private EmbeddedBroker broker;
    private RegistryServer registry;
    private Connection connection;
    private Codecs codecs;
    private Producers producers;
    private TopicReader<MetricPoint> pointReader;
    private TopicReader<MetricFrame> frameReader;
    private final Map<String, MetricPoint> points = new ConcurrentHashMap<>();
    private final Queue<MetricFrame> frames = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() throws IOException {
        broker = EmbeddedBroker.start(EmbeddedBroker.Options.in(directory.resolve("kafka")));
        registry = RegistryServer.start(broker.bootstrap(), 0);
        connection = Connection.of(broker.bootstrap(), registry.url());
        codecs = Codecs.of(connection);
        Provisioning.ensureWithin(PATIENCE, connection, codecs, (short) -1);
        producers = Producers.open(connection, codecs, "test");
        pointReader = TopicReader.open(connection, codecs, Topics.METRIC_SERIES, ReadFrom.beginning(), record -> {
            MetricPoint p = record.value();
            points.put(p.name() + "/" + p.window() + "/" + p.bucket() + "/" + p.part(), p);
        });
        frameReader = TopicReader.open(
                connection, codecs, Topics.METRIC_FRAMES, ReadFrom.beginning(), record -> frames.add(record.value()));
    }

    @AfterEach
    void stop() throws IOException {
        frameReader.close();
        pointReader.close();
        producers.close();
        codecs.close();
        registry.close();
        broker.close();
    }

    private SamplerApp sampler() {
        return SamplerApp.start(connection, SamplerOptions.in(directory.resolve("sampler")));
    }

    private static Origin origin(long step) {
        return new Origin(LINE, step, new WorkerId("w0"), 0, 1_700_000_000_000L + step);
    }

    private void loss(long from, long to) {
        for (long step = from; step <= to; step++) {
            producers
                    .writer(Topics.METRIC_SAMPLES)
                    .send(POOL.value(), Reading.scalar(origin(step), "train.loss", (double) step));
        }
        producers.flush();
    }

    private List<MetricPoint> at(Window window) {
        return points.values().stream()
                .filter(p -> p.window().equals(window) && p.name().equals("train.loss"))
                .toList();
    }

    private long readings(Window window) {
        return at(window).stream().mapToLong(MetricPoint::count).sum();
    }

    private static void awaitTaken(SamplerApp sampler, long records) {
        await().atMost(PATIENCE).until(() -> sampler.health().counts().getOrDefault("records", 0L) >= records);
    }

    @Test
    void aSamplerThatIsReplacedWhileRollUpsAreOpenCountsEveryReadingOnce() {
        loss(1, 1_005);
        try (SamplerApp first = sampler()) {
            awaitTaken(first, 1_005);
        }
        loss(1_006, 2_017);
        try (SamplerApp second = sampler()) {
            awaitTaken(second, 1_012);
            for (Window window : List.of(Window.steps(10), Window.steps(100), Window.steps(1_000))) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(readings(window)).isEqualTo(2_017));
            }
        }
        assertThat(at(Window.steps(1_000)).stream()
                        .mapToDouble(MetricPoint::max)
                        .max()
                        .orElseThrow())
                .isEqualTo(2_017);
    }

    @Test
    void theRulesOfARunningJobChangeByAnEventAndOutliveTheSampler() {
        var everyThird = new SamplingRules.Rule(new MetricPattern("spans"), new SamplingPolicy.ByStep(3));
        producers
                .writer(Topics.SAMPLING_CHANGES)
                .sendAndWait(
                        POOL.value(),
                        new SamplingEvent(
                                new Ingress.Header("e-1", POOL, "alice", 1),
                                new SamplingRequest.PolicyChange(
                                        LINE.job(), new SamplingRules(List.of(everyThird)), "alice")));
        try (SamplerApp first = sampler()) {
            awaitTaken(first, 1);
        }
        try (SamplerApp second = sampler()) {
            for (int step = 1; step <= 10; step++) {
                producers
                        .writer(Topics.METRIC_SAMPLES)
                        .send(POOL.value(), new Reading(origin(step), new Spans("step.spans", 1, List.of())));
            }
            awaitTaken(second, 10);
            await().atMost(PATIENCE).until(() -> frames.size() == 3);
        }
        assertThat(frames).extracting(f -> f.origin().step()).containsExactly(3L, 6L, 9L);
    }
}
