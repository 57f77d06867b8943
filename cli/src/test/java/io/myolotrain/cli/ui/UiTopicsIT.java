package io.myolotrain.cli.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.Matrix;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.core.sampling.Summary;
import io.myolotrain.core.sampling.Window;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.DeadLetter;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.Provisioning;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.SamplingEvent;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import io.myolotrain.ui.UiOptions;
import io.myolotrain.ui.UiServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The web UI on real topics: what the log holds is shown, what is asked for is in the log. */
class UiTopicsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final PoolId POOL = new PoolId("default");
    private static final JobId JOB = new JobId("demo");
    private static final int LOSSES = 200;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private EmbeddedBroker broker; // null once a test has closed it
    private RegistryServer registry;
    private Connection connection;
    private Codecs codecs;
    private UiServer server;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        broker = EmbeddedBroker.start(EmbeddedBroker.Options.in(directory.resolve("kafka")));
        registry = RegistryServer.start(broker.bootstrap(), 0);
        connection = Connection.of(broker.bootstrap(), registry.url());
        codecs = Codecs.of(connection);
        Provisioning.ensure(connection, codecs, (short) 1);
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
        }
        codecs.close();
        registry.close();
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void whatTheTopicsHoldIsShownAndWhatIsPublishedIsInTheLog() throws Exception {
        try (var producers = Producers.open(connection, codecs, "test")) {
            var decisions = producers.writer(Topics.DECISIONS);
            decisions.sendAndWait(POOL.value(), decision(0, new Fact.JobAccepted(spec())));
            for (int step = 1; step <= LOSSES; step++) {
                decisions.send(
                        POOL.value(),
                        decision(step, new Fact.ProgressRecorded(JOB, new Generation(1), step, step, 1.0 / step)));
            }
            var series = producers.writer(Topics.METRIC_SERIES);
            for (int step = 1; step <= LOSSES; step++) {
                MetricPoint point = point(step, step == 77 ? Double.NaN : step);
                series.send(Topics.seriesKey(point), point);
            }
            producers
                    .writer(Topics.DEAD_LETTERS)
                    .sendAndWait("p", new DeadLetter("config-changes", 0, 3, "not Avro", new byte[0], 1));
            producers.flush();
        }
        server = UiServer.start(connection, UiOptions.loopback(0, POOL));
        await().atMost(PATIENCE)
                .until(() -> get("/api/health").path("status").asText().equals("ok")
                        && get("/api/jobs/demo").at("/progress/step").asInt() == LOSSES
                        && get("/api/jobs/demo/series?name=train.lr")
                                .path("unread")
                                .isNull());

        assertThat(get("/api/jobs/demo").at("/progress/loss").asDouble()).isEqualTo(1.0 / LOSSES);
        JsonNode view = get("/api/jobs/demo/series?name=train.lr");
        assertThat(view.at("/readings").asInt()).isEqualTo(LOSSES);
        assertThat(view.at("/nonFinite").asInt()).isEqualTo(1);
        assertThat(view.at("/firstNonFiniteStep").asInt()).isEqualTo(77);
        assertThat(view.at("/main/last/99").asDouble()).isEqualTo(100);
        JsonNode health = get("/api/health");
        assertThat(health.at("/deadLetters/count").asInt()).isEqualTo(1);
        assertThat(health.at("/source/bootstrap").asText()).isEqualTo(broker.bootstrap());

        BlockingQueue<Ingress> asked = new LinkedBlockingQueue<>();
        TopicListener<Ingress> listener = record -> asked.add(record.value());
        try (var reader = TopicReader.open(connection, codecs, Topics.CONFIG_CHANGES, ReadFrom.beginning(), listener)) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(uri("/api/jobs/demo/config"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(
                                    "{\"changes\":{\"workers\":4},\"requestedBy\":\"ana\"}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(asked.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(EventIngress.class, ingress -> {
                        assertThat(ingress.header().eventId())
                                .isEqualTo(answer.headers()
                                        .firstValue("Location")
                                        .orElseThrow()
                                        .replace("/api/changes/", ""));
                        assertThat(ingress.event())
                                .isInstanceOfSatisfying(Event.ConfigChangeRequested.class, change -> {
                                    assertThat(change.changes()).containsEntry("workers", "4");
                                    assertThat(change.requestedBy()).isEqualTo("ana");
                                });
                    });
        }
    }

    /** Case F19 and the slider: pages of a log and past states come from the topics themselves. */
    @Test
    void logsPastStatesAndPicturesComeFromTheTopics() throws Exception {
        try (var producers = Producers.open(connection, codecs, "test")) {
            var decisions = producers.writer(Topics.DECISIONS);
            decisions.sendAndWait(POOL.value(), decision(0, new Fact.JobAccepted(spec())));
            for (int step = 1; step <= LOSSES; step++) {
                decisions.send(
                        POOL.value(),
                        decision(step, new Fact.ProgressRecorded(JOB, new Generation(1), step, step, 1.0 / step)));
            }
            var line = new Line(POOL, JOB, "a1", new Generation(1));
            var frame = new MetricFrame(
                    new Origin(line, 50, new WorkerId("w1"), 0, 1),
                    new Matrix("attention.norm", 1, 2, List.of(1f, Float.NaN)));
            producers.writer(Topics.METRIC_FRAMES).send(Topics.frameKey(frame), frame);
            producers.flush();
        }
        server = UiServer.start(connection, UiOptions.loopback(0, POOL));
        await().atMost(PATIENCE)
                .until(() -> get("/api/jobs/demo").at("/progress/step").asInt() == LOSSES
                        && get("/api/jobs/demo/frames").size() == 1);

        JsonNode newest = get("/api/log?steps=true&limit=3");
        assertThat(newest.at("/rows").findValuesAsText("step")).containsExactly("200", "199", "198");
        JsonNode from = get("/api/log?steps=true&from=150&limit=2");
        assertThat(from.at("/rows/0/offset").asInt()).isEqualTo(150);
        assertThat(get("/api/log?steps=true&from=150&limit=2&next="
                                + from.at("/next").properties().stream()
                                        .map(p -> p.getKey() + ":" + p.getValue())
                                        .collect(java.util.stream.Collectors.joining(",")))
                        .at("/rows/0/offset")
                        .asInt())
                .isEqualTo(152);
        assertThat(get("/api/log?q=accepted").at("/rows/0/kind").asText()).isEqualTo("job accepted");
        long received = from.at("/rows/0/atMs").asLong();
        assertThat(get("/api/log?steps=true&limit=1&since=" + received)
                        .at("/rows/0/atMs")
                        .asLong())
                .isGreaterThanOrEqualTo(received);
        assertThat(get("/api/log?from=99999").at("/outside").size()).isPositive();

        assertThat(get("/api/history/120").at("/jobs/0/progress/step").asInt()).isEqualTo(120);
        assertThat(get("/api/history/0").at("/jobs/0/progress/step").asInt()).isZero();

        JsonNode matrix = get("/api/jobs/demo/matrix?name=attention.norm");
        assertThat(matrix.at("/values/0/0").asDouble()).isEqualTo(1);
        assertThat(matrix.at("/values/0/1").isNull()).isTrue();

        BlockingQueue<SamplingEvent> asked = new LinkedBlockingQueue<>();
        try (var reader = TopicReader.open(
                connection,
                codecs,
                Topics.SAMPLING_CHANGES,
                ReadFrom.beginning(),
                record -> asked.add(record.value()))) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(uri("/api/jobs/demo/attention"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"layer\":1,\"head\":2,\"sample\":3}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(202);
            SamplingEvent event = asked.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(event.request()).isEqualTo(new SamplingRequest.AttentionRequest(JOB, 1, 2, 3, "api"));
        }
    }

    /** Case F03: of all that the log holds, the run that is looked at is read, whole and once; then it is followed. */
    @Test
    void onlyTheRunThatIsLookedAtIsRead() throws Exception {
        try (var producers = Producers.open(connection, codecs, "test")) {
            var decisions = producers.writer(Topics.DECISIONS);
            var series = producers.writer(Topics.METRIC_SERIES);
            decisions.sendAndWait(POOL.value(), decision(0, new Fact.JobAccepted(spec())));
            for (int run = 0; run < 5; run++) {
                for (int step = 1; step <= LOSSES; step++) {
                    MetricPoint point = point(run == 3 ? JOB : new JobId("other" + run), step, step);
                    series.send(Topics.seriesKey(point), point);
                }
            }
            producers.flush();
            server = UiServer.start(connection, UiOptions.loopback(0, POOL));
            await().atMost(PATIENCE)
                    .until(() -> get("/api/health").path("status").asText().equals("ok")
                            && !get("/api/jobs").isEmpty());
            assertThat(get("/api/health").path("series").asInt())
                    .as("nobody has looked at a run")
                    .isZero();
            int live = LOSSES;
            do { // new ones come in while the past is read
                live++;
                MetricPoint point = point(JOB, live, live);
                series.sendAndWait(Topics.seriesKey(point), point);
            } while (!get("/api/jobs/demo/series?name=train.lr").path("unread").isNull() || live < LOSSES + 50);
            int last = live;
            await().atMost(PATIENCE)
                    .until(() -> get("/api/jobs/demo/series?name=train.lr")
                                    .path("readings")
                                    .asInt()
                            == last);
        }
        assertThat(get("/api/health").path("series").asInt())
                .as("nothing of the other runs is kept")
                .isEqualTo(1);
        assertThat(get("/api/jobs/demo/series?name=train.lr").at("/main/last/0").asDouble())
                .isEqualTo(1);
    }

    /** Case F03: what was read is kept; what was decided meanwhile is read, and nothing twice. */
    @Test
    void aServerThatIsStartedAgainReadsOnlyWhatIsNew(@TempDir Path state) throws Exception {
        UiOptions options = UiOptions.loopback(0, POOL).keptIn(state);
        decide("", 0, LOSSES);
        server = UiServer.start(connection, options);
        awaitStep(LOSSES);
        server.close();
        decide("", LOSSES + 1, LOSSES + 50);

        server = UiServer.start(connection, options);
        awaitStep(LOSSES + 50);

        assertThat(get("/api/jobs/demo/series?name=job.loss").path("readings").asInt())
                .isEqualTo(LOSSES + 50);
        assertThat(get("/api/history/120").at("/jobs/0/progress/step").asInt()).isEqualTo(120);
    }

    /** Cases F03 and G10: offsets of a topic that was created anew look like those that were read. */
    @Test
    void aLogThatWasCreatedAnewIsNotTakenForTheOneThatWasRead(@TempDir Path state) throws Exception {
        UiOptions options = UiOptions.loopback(0, POOL).keptIn(state);
        decide("old-", 0, LOSSES);
        server = UiServer.start(connection, options);
        awaitStep(LOSSES);
        server.close();
        recreate(Topics.DECISIONS.name());
        decide("new-", 0, LOSSES + 20);

        server = UiServer.start(connection, options);
        awaitStep(LOSSES + 20);

        assertThat(get("/api/jobs/demo/series?name=job.loss").path("readings").asInt())
                .isEqualTo(LOSSES + 20);
    }

    private void awaitStep(int step) {
        await().atMost(PATIENCE)
                .until(() -> get("/api/health").path("status").asText().equals("ok")
                        && get("/api/jobs/demo").at("/progress/step").asInt() == step);
    }

    /** The job at journal offset 0, one step behind it per offset. */
    private void decide(String ids, int from, int to) throws Exception {
        try (var producers = Producers.open(connection, codecs, "test")) {
            var decisions = producers.writer(Topics.DECISIONS);
            for (int offset = from; offset <= to; offset++) {
                Fact fact = offset == 0
                        ? new Fact.JobAccepted(spec())
                        : new Fact.ProgressRecorded(JOB, new Generation(1), offset, offset, 1.0 / offset);
                decisions.send(
                        POOL.value(),
                        new Decision(offset, ids + offset, 1_000 + offset, "1", "0".repeat(64), List.of(fact)));
            }
            producers.flush();
        }
    }

    private void recreate(String topic) throws Exception {
        try (Admin admin = Admin.create(new TreeMap<>(connection.clientSettings()))) {
            admin.deleteTopics(List.of(topic)).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            await().atMost(PATIENCE).until(() -> !admin.listTopics()
                    .names()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .contains(topic));
        }
        Provisioning.ensure(connection, codecs, (short) 1);
    }

    /** Case F17: a broker that is away is another message than a pool without jobs. */
    @Test
    void aBrokerThatGoesAwayIsSaid() throws Exception {
        server = UiServer.start(connection, UiOptions.loopback(0, POOL));
        await().atMost(PATIENCE)
                .until(() -> get("/api/health").path("status").asText().equals("ok"));
        broker.close();
        broker = null;
        await().atMost(PATIENCE)
                .until(() -> get("/api/health").path("status").asText().equals("unreachable"));
        assertThat(get("/api/health").path("problem").asText()).isNotEmpty();
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return JSON.readTree(http.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString())
                .body());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private static Decision decision(long offset, Fact... facts) {
        return new Decision(offset, "event-" + offset, 1_000 + offset, "1", "0".repeat(64), List.of(facts));
    }

    private static MetricPoint point(int step, double value) {
        return point(JOB, step, value);
    }

    private static MetricPoint point(JobId job, int step, double value) {
        var line = new Line(POOL, job, "a1", new Generation(1));
        return new MetricPoint(line, "train.lr", Window.EACH_STEP, 0, step, step, step, step, Summary.of(step, value));
    }

    private static JobSpec spec() {
        var model = new ModelShape(ModelShape.Family.GPT, 4, 128, 4, 128, 256, 1, 0.1);
        var config = new TrainingConfig(
                2,
                16,
                6e-4,
                6e-5,
                TrainingConfig.Schedule.CONSTANT,
                0,
                2_000,
                0.1,
                0.9,
                0.95,
                1e-8,
                1.0,
                TrainingConfig.Precision.FLOAT32,
                100,
                100,
                2_000,
                TrainingConfig.RunState.RUNNING);
        return new JobSpec(JOB, POOL, "a1", model, 42, 2, "text", JobSpec.Transport.AUTO, 2, config);
    }
}
