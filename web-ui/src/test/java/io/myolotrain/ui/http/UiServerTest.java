package io.myolotrain.ui.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.ui.FakeArchive;
import io.myolotrain.ui.FakeFeed;
import io.myolotrain.ui.FakePublisher;
import io.myolotrain.ui.FrameStories;
import io.myolotrain.ui.PoolStory;
import io.myolotrain.ui.UiOptions;
import io.myolotrain.ui.UiServer;
import io.myolotrain.ui.port.ClusterFeed;
import io.myolotrain.ui.port.LogArchive;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The routes of a running server over a feed in memory. */
class UiServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Names of pictures, by the end of the route that shows them. */
    private static final Map<String, String> NAMES = Map.of(
            "/heatmap", FrameStories.GRADIENTS,
            "/matrix", FrameStories.HEADS,
            "/timeline", FrameStories.SPANS,
            "/trace", FrameStories.SPANS,
            "/attention", FrameStories.ATTENTION);

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final FakeFeed feed = new FakeFeed();
    private final FakePublisher publisher = new FakePublisher();
    private final PoolStory story = new PoolStory(1_672_647_300_792L);
    private UiServer server;

    @BeforeEach
    void start() {
        server = UiServer.start(feed, publisher, feed.archive, UiOptions.loopback(0, FakeFeed.POOL));
        story.runningJob("demo").forEach(feed::emit);
        feed.caughtUp();
        await().atMost(PATIENCE).until(() -> get("/api/health").body().contains("\"status\":\"ok\""));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void stateHoldsPoolJobsEventsChangesAndHealth() throws Exception {
        JsonNode state = json(get("/api/state"), 200);
        assertThat(state.at("/pool/members").asInt()).isEqualTo(2);
        assertThat(state.at("/jobs/0/id").asText()).isEqualTo("demo");
        assertThat(state.at("/jobs/0/phase").asText()).isEqualTo("RUNNING");
        assertThat(state.at("/jobs/0/plan/members/1/worker").asText()).isEqualTo("w2");
        assertThat(state.at("/jobs/0/config/lr").asText()).isEqualTo("0.0006");
        assertThat(state.at("/events/rows/0/kind").asText()).isEqualTo("phase");
        assertThat(state.at("/health/source/bootstrap").asText()).isEqualTo("broker.test:9092");
        assertThat(state.at("/position").asText()).isNotEmpty();
    }

    /** Case F03: the server answers at once and says how far it is, however long the history. */
    @Test
    void theServerAnswersWhileHistoryIsRead() throws Exception {
        feed.lag("decisions", 50_000_000);
        feed.emit(story.step("demo", 1, 1_000, 2.0));
        await().atMost(PATIENCE)
                .until(() ->
                        json(get("/api/jobs/demo"), 200).at("/progress/step").asInt() == 1_000);
        JsonNode health = json(get("/api/health"), 200);
        assertThat(health.at("/status").asText()).isEqualTo("catching-up");
        assertThat(health.at("/lagTotal").asLong()).isEqualTo(50_000_000);
        assertThat(json(get("/api/jobs/demo/series?name=job.loss"), 200)
                        .at("/main/steps/0")
                        .asInt())
                .isEqualTo(1_000);
    }

    /** Case F03: of all runs the one that is looked at is read, and how far that is stands in the answer. */
    @Test
    void whatIsNotReadYetOfARunIsSaid() throws Exception {
        feed.pastsAreLong();
        assertThat(json(get("/api/jobs/demo/series?name=train.loss"), 200)
                        .at("/unread/upToStep")
                        .asLong())
                .isEqualTo(-1);
        ClusterFeed.Run run = feed.opened().get(0).run();
        feed.emit(new ClusterFeed.RunReading(run, 3_000, false, ""));
        await().atMost(PATIENCE)
                .until(() -> json(get("/api/jobs/demo/series"), 200)
                                .at("/unread/upToStep")
                                .asLong()
                        == 3_000);
        feed.emit(new ClusterFeed.RunReading(run, 9_000, true, ""));
        await().atMost(PATIENCE)
                .until(() ->
                        json(get("/api/jobs/demo/series"), 200).at("/unread").isNull());
    }

    @Test
    void aNumberThatIsNotFiniteIsNullInJson() throws Exception {
        feed.emit(story.step("demo", 1, 1, Double.NaN));
        feed.emit(story.step("demo", 1, 2, Double.POSITIVE_INFINITY));
        await().atMost(PATIENCE)
                .until(() ->
                        json(get("/api/jobs/demo"), 200).at("/progress/step").asInt() == 2);
        String body = get("/api/jobs/demo/series?name=job.loss").body();
        assertThat(body).doesNotContainPattern("[:,\\[](NaN|-?Infinity)"); // a kind stands in quotes
        assertThat(JSON.readTree(body).at("/main/last/0").isNull()).isTrue();
        assertThat(JSON.readTree(body).at("/nonFinite").asInt()).isEqualTo(2);
        assertThat(json(get("/api/jobs/demo"), 200).at("/progress/lossText").asText())
                .isEqualTo("Infinity");
    }

    @Test
    void everyAnswerCarriesTheSecurityHeaders() throws Exception {
        for (String path : List.of("/", "/js/main.js", "/api/state", "/api/nothing", "/nothing")) {
            var headers = get(path).headers();
            assertThat(headers.firstValue("Content-Security-Policy").orElse(""))
                    .as(path)
                    .contains("default-src 'none'")
                    .contains("script-src 'self';")
                    .doesNotContain("unsafe");
            assertThat(headers.firstValue("X-Content-Type-Options")).as(path).hasValue("nosniff");
            assertThat(headers.firstValue("X-Frame-Options")).as(path).hasValue("DENY");
        }
    }

    @Test
    void thePageHasNoInlineScriptAndNoForeignHost() throws Exception {
        String page = get("/").body();
        assertThat(page)
                .doesNotContainPattern("<script(?![^>]*src=)")
                .doesNotContain("http://")
                .doesNotContain("https://")
                .doesNotContainPattern("\\son[a-z]+=")
                .doesNotContain("style=");
    }

    @Test
    void theFirstPageWithoutChartsIsSmall() throws Exception {
        long bytes = 0;
        var seen = new TreeSet<>(List.of(
                "/", "/css/base.css", "/css/components.css", "/css/layout.css", "/lib/preact.js", "/js/main.js"));
        var imports = Pattern.compile("from '(/[^']+)'");
        while (true) {
            bytes = 0;
            var found = new TreeSet<>(seen);
            for (String path : seen) {
                HttpResponse<String> file = get(path);
                assertThat(file.statusCode()).as(path).isEqualTo(200);
                bytes += file.body().getBytes(StandardCharsets.UTF_8).length;
                imports.matcher(file.body()).results().forEach(m -> found.add(m.group(1)));
            }
            if (found.equals(seen)) {
                break;
            }
            seen = found;
        }
        assertThat(seen).doesNotContain("/lib/uplot.js");
        assertThat(bytes).isLessThan(300_000);
    }

    @Test
    void aFileOutsideTheWebRootIsNotServed() throws Exception {
        for (String path : List.of(
                "/../openapi.yaml",
                "/%2e%2e/pom.xml",
                "/js/..%2fapp.js",
                "/META-INF/MANIFEST.MF",
                "/js//main.js",
                "/io/myolotrain/ui/UiServer.class")) {
            assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .as(path)
                    .startsWith("HTTP/1.1 404");
        }
    }

    @Test
    void anUnchangedFileIsNotSentAgain() throws Exception {
        String etag = get("/js/main.js").headers().firstValue("ETag").orElseThrow();
        var again = http.send(
                request("/js/main.js").header("If-None-Match", etag).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void aChangeIsPublishedAndFollowed() throws Exception {
        HttpResponse<String> answer = post(
                "/api/jobs/demo/config",
                "{\"changes\":{\"workers\":4,\"precision\":\"BF16\"},\"requestedBy\":\"ana\"}");
        JsonNode body = json(answer, 202);
        FakePublisher.Published published = publisher.published.poll(10, TimeUnit.SECONDS);
        assertThat(published.eventId()).isEqualTo(body.at("/eventId").asText());
        assertThat(published.request().changes()).isEqualTo(new TreeMap<>(Map.of("workers", "4", "precision", "BF16")));
        assertThat(published.request().requestedBy()).isEqualTo("ana");
        String way = answer.headers().firstValue("Location").orElseThrow();
        assertThat(json(get(way), 200).at("/status").asText()).isEqualTo("PUBLISHED");
        feed.emit(story.accepted(
                published.eventId(),
                "demo",
                PoolStory.changes("workers", "4"),
                story.planIssued("demo", 2, "workers", "w1", "w2", "w3", "w4")));
        await().atMost(PATIENCE)
                .until(() -> json(get(way), 200).at("/status").asText().equals("PLANNED"));
        feed.emit(story.activated("demo", 2, 31, 12_300));
        await().atMost(PATIENCE)
                .until(() -> json(get(way), 200).at("/firstStep").asInt() == 31);
    }

    @Test
    void aBodyThatIsNoChangeIsRefusedWithRuleValueAndNextStep() throws Exception {
        for (String body : List.of(
                "",
                "[]",
                "null",
                "{",
                "{\"changes\":{}}",
                "{\"changes\":[1]}",
                "{\"changes\":{\"workers\":null}}",
                "{\"changes\":{\"workers\":{\"a\":1}}}",
                "{\"changes\":{\"\":1}}",
                "{\"changes\":{\"workers\":4},\"extra\":1}",
                "{\"changes\":{\"workers\":4},\"requestedBy\":7}",
                "{\"changes\":{\"k\":\"" + "v".repeat(300) + "\"}}")) {
            JsonNode problem = json(post("/api/jobs/demo/config", body), 400);
            assertThat(problem.at("/rule").asText()).as(body).isNotEmpty();
            assertThat(problem.at("/value").asText()).as(body).isNotEmpty();
            assertThat(problem.at("/nextStep").asText()).as(body).isNotEmpty();
        }
        assertThat(json(post("/api/jobs/NOT%20A%20JOB/config", "{\"changes\":{\"workers\":4}}"), 400)
                        .at("/rule")
                        .asText())
                .contains("a-z 0-9");
        assertThat(publisher.published).isEmpty();
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws Exception {
        assertThat(post(
                                "/api/jobs/demo/config",
                                "{\"changes\":{\"k\":\"" + "v".repeat(ConfigRoute.BODY_BYTES_MAX) + "\"}}")
                        .statusCode())
                .isEqualTo(413);
        assertThat(publisher.published).isEmpty();
    }

    @Test
    void aChangeFromAnotherSiteOrThatIsNotJsonIsRefused() throws Exception {
        String body = "{\"changes\":{\"workers\":4}}";
        var uri = request("/api/jobs/demo/config");
        assertThat(send(uri.copy().header("Content-Type", "text/plain"), body).statusCode())
                .isEqualTo(415);
        assertThat(send(uri.copy(), body).statusCode()).isEqualTo(415);
        var asJson = uri.header("Content-Type", "application/json");
        assertThat(send(asJson.copy().header("Origin", "https://evil.test"), body)
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(asJson.copy().header("Origin", "null"), body).statusCode())
                .isEqualTo(403);
        assertThat(send(asJson.copy().header("Sec-Fetch-Site", "cross-site"), body)
                        .statusCode())
                .isEqualTo(403);
        assertThat(publisher.published).isEmpty();
        assertThat(send(asJson.copy().header("Origin", "http://127.0.0.1:" + server.port()), body)
                        .statusCode())
                .isEqualTo(202);
    }

    @Test
    void aLogThatIsAwayIsSaidAndNothingCounts() throws Exception {
        publisher.away = true;
        JsonNode problem = json(post("/api/jobs/demo/config", "{\"changes\":{\"workers\":4}}"), 503);
        assertThat(problem.at("/value").asText()).contains("does not answer");
        assertThat(problem.at("/nextStep").asText()).contains("try again");
        assertThat(json(get("/api/state"), 200).at("/changes")).isEmpty();
    }

    @Test
    void aForeignHostNameIsRefusedOnLoopback() throws Exception {
        for (String name : List.of("rebound.evil.test", "127.0.0.1.evil.test", "127.evil.test")) {
            assertThat(raw("GET /api/state HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n\r\n"))
                    .as(name)
                    .startsWith("HTTP/1.1 421");
        }
    }

    @Test
    void wrongParametersAreRefusedWithTheRule() throws Exception {
        for (String path : List.of(
                "/api/events?limit=0",
                "/api/events?limit=x",
                "/api/events?before=one",
                "/api/jobs/demo/series?name=job.loss&points=0",
                "/api/jobs/demo/series?name=job.loss&from=a",
                "/api/jobs/demo/series?limit=501",
                "/api/events?q=" + "x".repeat(201))) {
            assertThat(json(get(path), 400).at("/rule").asText()).as(path).isNotEmpty();
        }
        for (String path : List.of(
                "/api/jobs/none",
                "/api/jobs/none/series",
                "/api/jobs/none/series?name=x",
                "/api/changes/none",
                "/api/none")) {
            assertThat(get(path).statusCode()).as(path).isEqualTo(404);
            assertThat(get(path).headers().firstValue("Content-Type")).as(path).hasValue("application/problem+json");
        }
    }

    @Test
    void healthCountsWhatWasRejectedAndIsRedWhenTheBrokerIsAway() throws Exception {
        feed.emit(new ClusterFeed.Rejected("config-changes", 0, 17, 1, "not Avro"));
        await().atMost(PATIENCE)
                .until(() ->
                        json(get("/api/health"), 200).at("/deadLetters/count").asInt() == 1);
        feed.unreachable("no answer within 3000 ms");
        await().atMost(PATIENCE).until(() -> get("/api/health").statusCode() == 503);
        assertThat(json(get("/api/health"), 503).at("/problem").asText()).isEqualTo("no answer within 3000 ms");
    }

    @Test
    void theStreamTellsWhatChangesAndResumesWhereItBroke() throws Exception {
        String position = json(get("/api/state"), 200).at("/position").asText();
        String firstId;
        try (var stream = new Sse(server.port(), "/api/stream?job=demo&series=job.loss", position)) {
            feed.emit(story.after(50).step("demo", 1, 1, 3.5));
            assertThat(stream.next("progress").at("/progress/step").asInt()).isEqualTo(1);
            firstId = stream.lastId;
            JsonNode points = stream.next("points");
            assertThat(points.at("/name").asText()).isEqualTo("job.loss");
            assertThat(points.at("/points/last/0").asDouble()).isEqualTo(3.5);
        }
        feed.emit(story.after(50).checkpoint("demo", 1));
        try (var stream = new Sse(server.port(), "/api/stream?job=demo&series=job.loss", firstId)) {
            assertThat(stream.next("points").at("/points/steps/0").asInt()).isEqualTo(1);
            assertThat(stream.next("events").at("/rows/0/kind").asText()).isEqualTo("checkpoint");
        }
    }

    @Test
    void aPlaceOfAServerThatIsGoneGetsAReset() throws Exception {
        try (var stream = new Sse(server.port(), "/api/stream", "oldlife-5")) {
            assertThat(stream.next("reset")).isEmpty();
        }
    }

    @Test
    void seriesThatAPageDoesNotWatchAreNotSentToIt() throws Exception {
        String position = json(get("/api/state"), 200).at("/position").asText();
        try (var stream = new Sse(server.port(), "/api/stream?job=demo&series=other", position)) {
            feed.emit(story.after(50).step("demo", 1, 1, 3.5));
            stream.next("progress");
            feed.emit(story.checkpoint("demo", 1));
            assertThat(stream.nextType()).isNotEqualTo("points");
        }
    }

    @Test
    void aTokenIsAskedForWhenOneIsSet() throws Exception {
        String token = "0123456789abcdef0123";
        try (var locked = UiServer.start(
                new FakeFeed(),
                publisher,
                new FakeArchive(),
                new UiOptions("127.0.0.1", 0, FakeFeed.POOL, Optional.of(token), Optional.empty()))) {
            URI state = URI.create("http://127.0.0.1:" + locked.port() + "/api/state");
            var none = http.send(HttpRequest.newBuilder(state).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(none.statusCode()).isEqualTo(401);
            assertThat(none.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
            var wrong = HttpRequest.newBuilder(state)
                    .header("Authorization", "Bearer " + token + "x")
                    .build();
            assertThat(http.send(wrong, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(401);
            var right = HttpRequest.newBuilder(state)
                    .header("Authorization", "Bearer " + token)
                    .build();
            assertThat(http.send(right, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            assertThat(new UiOptions("127.0.0.1", 0, FakeFeed.POOL, Optional.of(token), Optional.empty()).toString())
                    .doesNotContain(token);
        }
    }

    @Test
    void theOpenApiDocumentNamesExactlyTheRoutes() throws Exception {
        JsonNode document = new ObjectMapper(new YAMLFactory())
                .readTree(get("/openapi.yaml").body());
        var documented = new TreeSet<String>();
        document.get("paths").properties().forEach(path -> path.getValue()
                .fieldNames()
                .forEachRemaining(
                        method -> documented.add(method.toUpperCase(java.util.Locale.ROOT) + " " + path.getKey())));
        var routed = new TreeSet<String>();
        var vertx = Vertx.vertx();
        try {
            var verticle = new UiVerticle(UiOptions.loopback(0, FakeFeed.POOL), feed, publisher, feed.archive);
            verticle.routes(vertx, new StreamHub("x")).getRoutes().stream()
                    .filter(route -> route.getPath() != null && route.methods() != null)
                    .forEach(route -> route.methods()
                            .forEach(method ->
                                    routed.add(method + " " + route.getPath().replaceAll(":([a-zA-Z]+)", "{$1}"))));
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        }
        assertThat(documented).isEqualTo(routed);
    }

    /** Every answer to a documented GET has the fields that the document requires, of the types that it names. */
    @Test
    void answersHaveTheShapeThatTheOpenApiDocumentPromises() throws Exception {
        JsonNode document = new ObjectMapper(new YAMLFactory())
                .readTree(get("/openapi.yaml").body());
        FrameStories.all().forEach(frame -> feed.emit(new ClusterFeed.Framed(frame)));
        await().atMost(PATIENCE)
                .until(() -> json(get("/api/jobs/demo/frames"), 200).size() == NAMES.size() - 1);
        post("/api/jobs/demo/config", "{\"changes\":{\"workers\":4}}");
        String eventId = publisher.published.poll(10, TimeUnit.SECONDS).eventId();
        int checked = 0;
        for (var path : document.get("paths").properties()) {
            JsonNode schema = path.getValue()
                    .at("/get/responses/200/content")
                    .path("application/json")
                    .path("schema");
            if (!schema.isMissingNode()) {
                String uri = path.getKey()
                        .replace("{id}", "demo")
                        .replace("{eventId}", eventId)
                        .replace("{offset}", "5");
                String of = NAMES.entrySet().stream()
                        .filter(e -> uri.endsWith(e.getKey()))
                        .map(e -> "?name=" + e.getValue())
                        .findFirst()
                        .orElse("");
                assertShape(document, schema, json(get(uri + of), 200), uri);
                checked++;
            }
        }
        assertThat(checked).isGreaterThanOrEqualTo(15);
    }

    private static void assertShape(JsonNode document, JsonNode schema, JsonNode value, String where) {
        if (schema.has("$ref")) {
            assertShape(document, document.at(schema.get("$ref").asText().substring(1)), value, where);
            return;
        }
        if (schema.path("type").isTextual()) {
            String is = value.isNull() ? "null" : value.getNodeType().name().toLowerCase(java.util.Locale.ROOT);
            assertThat(is.equals("number") && value.isIntegralNumber() ? "integer" : is)
                    .as(where)
                    .isIn(
                            schema.get("type").asText(),
                            schema.get("type").asText().equals("number") ? "integer" : "same");
        }
        schema.path("required").forEach(field -> assertThat(value.has(field.asText()))
                .as(where + " " + field)
                .isTrue());
        schema.path("properties").properties().forEach(p -> {
            if (value.has(p.getKey())) {
                assertShape(document, p.getValue(), value.get(p.getKey()), where + " " + p.getKey());
            }
        });
        if (value.isArray() && schema.has("items")) {
            value.forEach(item -> assertShape(document, schema.get("items"), item, where + "[]"));
        }
    }

    @Test
    void beyondLoopbackTheServerListensOnlyWithAToken() {
        for (String host : List.of("0.0.0.0", "::", "10.0.0.7", "127.0.0.1.evil.test", "gpu-7")) {
            assertThatThrownBy(() -> new UiOptions(host, 0, FakeFeed.POOL, Optional.empty(), Optional.empty()))
                    .as(host)
                    .hasMessageContaining("host=" + host)
                    .hasMessageContaining("--token-file");
            assertThat(new UiOptions(host, 0, FakeFeed.POOL, Optional.of("0123456789abcdef"), Optional.empty())
                            .onLoopback())
                    .isFalse();
        }
        for (String host : List.of("127.0.0.1", "127.8.9.10", "localhost", "::1", "LOCALHOST")) {
            assertThat(new UiOptions(host, 0, FakeFeed.POOL, Optional.empty(), Optional.empty()).onLoopback())
                    .as(host)
                    .isTrue();
        }
    }

    @Test
    void aPreviewSaysWhatWouldBeDecidedAndPublishesNothing() throws Exception {
        String before = get("/api/jobs/demo").body();
        JsonNode more = json(post("/api/jobs/demo/config/preview", "{\"changes\":{\"workers\":4}}"), 200);
        assertThat(more.at("/outcome").asText()).isEqualTo("PLANNED");
        assertThat(more.at("/sentence").asText()).startsWith("2 → 4 workers: accumulation 4 → 2, ");
        assertThat(more.at("/after/members")).hasSize(4);
        assertThat(more.at("/movedBytes").asLong())
                .isEqualTo(more.at("/lowerBoundBytes").asLong());
        JsonNode refused =
                json(post("/api/jobs/demo/config/preview", "{\"changes\":{\"workers\":9,\"batch\":7}}"), 200);
        assertThat(refused.at("/outcome").asText()).isEqualTo("REFUSED");
        assertThat(refused.at("/sentence").asText()).startsWith("refused because ");
        assertThat(refused.at("/refusals")).hasSize(2);
        assertThat(refused.at("/refusals/0/nextStep").asText()).isNotEmpty();
        JsonNode unknown = json(post("/api/jobs/nobody/config/preview", "{\"changes\":{\"workers\":9}}"), 200);
        assertThat(unknown.at("/sentence").asText()).contains("the job must be known");
        assertThat(publisher.published).isEmpty();
        assertThat(get("/api/jobs/demo").body()).isEqualTo(before);
    }

    @Test
    void aPreviewWhileAnotherPlanIsPreparedSaysThatTheChangeWaits() throws Exception {
        feed.emit(story.accepted(
                "c1",
                "demo",
                PoolStory.changes("workers", "4"),
                story.planIssued("demo", 2, "workers", "w1", "w2", "w3", "w4")));
        await().atMost(PATIENCE)
                .until(() -> json(get("/api/jobs/demo"), 200)
                                .at("/pending/generation")
                                .asInt()
                        == 2);
        JsonNode preview = json(post("/api/jobs/demo/config/preview", "{\"changes\":{\"lr\":\"2e-4\"}}"), 200);
        assertThat(preview.at("/outcome").asText()).isEqualTo("WAITS");
        assertThat(preview.at("/sentence").asText())
                .isEqualTo("lr 0.0006 → 0.0002: accepted; follows generation 2, which is being prepared");
    }

    @Test
    void thePastIsFoldedAgainFromTheLog() throws Exception {
        String before = get("/api/jobs/demo").body();
        feed.emit(story.planned("p2", "demo", 2, "all workers wanted", "w1", "w2", "w3", "w4"));
        feed.emit(story.activated("demo", 2, 31, 12_300));
        await().atMost(PATIENCE)
                .until(() -> json(get("/api/state"), 200).at("/pool/members").asInt() == 4);
        int last = json(get("/api/history"), 200).at("/lastOffset").asInt();
        JsonNode past = json(get("/api/history/" + (last - 2)), 200);
        assertThat(past.at("/offset").asInt()).isEqualTo(last - 2);
        assertThat(past.at("/pool/members").asInt()).isEqualTo(2);
        assertThat(past.at("/jobs/0/plan")).isEqualTo(JSON.readTree(before).at("/plan"));
        assertThat(past.at("/jobs/0/generations")).hasSize(1);
        assertThat(past.at("/rows/0/kind").asText()).isEqualTo("phase");
        assertThat(json(get("/api/history/0"), 200).at("/jobs")).isEmpty();
        assertThat(json(get("/api/history/" + last), 200).at("/pool/members").asInt())
                .isEqualTo(4);
        assertThat(get("/api/history/x").statusCode()).isEqualTo(400);
    }

    /** Case F19: from an offset or a time on, over all partitions. */
    @Test
    void theLogIsReadFromAnOffsetOrATimeOnInEveryPartition() throws Exception {
        for (int i = 0; i < 10; i++) {
            feed.archive.write(
                    LogArchive.Log.DEAD_LETTERS,
                    i % 2,
                    1_000 + i,
                    "default",
                    new LogArchive.Rejected("config-changes", 0, i, "reason " + i));
        }
        JsonNode byTime = json(get("/api/log?topic=dead-letters&since=1003"), 200);
        assertThat(byTime.at("/rows")).hasSize(7);
        assertThat(byTime.at("/rows/0/reason").asText()).isEqualTo("reason 3");
        JsonNode byOffset = json(get("/api/log?topic=dead-letters&from=3&limit=3"), 200);
        assertThat(byOffset.at("/rows").findValuesAsText("reason")).containsExactly("reason 6", "reason 7", "reason 8");
        String next = byOffset.at("/next").properties().stream()
                .map(p -> p.getKey() + ":" + p.getValue())
                .collect(java.util.stream.Collectors.joining(","));
        JsonNode rest = json(get("/api/log?topic=dead-letters&from=3&limit=3&next=" + next), 200);
        assertThat(rest.at("/rows").findValuesAsText("reason")).containsExactly("reason 9");
        assertThat(rest.at("/exhausted").asBoolean()).isTrue();
        JsonNode newest = json(get("/api/log?topic=dead-letters&limit=2&partition=1"), 200);
        assertThat(newest.at("/rows").findValuesAsText("reason")).containsExactly("reason 9", "reason 7");
        feed.archive.firstKept = 2;
        JsonNode outside = json(get("/api/log?topic=dead-letters&from=1"), 200);
        assertThat(outside.at("/outside")).hasSize(2);
        assertThat(outside.at("/outside/0/first").asInt()).isEqualTo(2);
        assertThat(outside.at("/rows/0/reason").asText()).isEqualTo("reason 4");
    }

    @Test
    void theAttentionOfAHeadIsAskedForInTheLog() throws Exception {
        JsonNode asked = json(post("/api/jobs/demo/attention", "{\"layer\":1,\"head\":2,\"sample\":3}"), 202);
        assertThat(asked.at("/eventId").asText()).isNotEmpty();
        assertThat(publisher.asked.poll(10, TimeUnit.SECONDS))
                .isEqualTo(new SamplingRequest.AttentionRequest(new JobId("demo"), 1, 2, 3, "api"));
        for (String body : List.of("", "[]", "{}", "{\"layer\":-1,\"head\":0,\"sample\":0}", "{\"layer\":0.5}")) {
            assertThat(json(post("/api/jobs/demo/attention", body), 400)
                            .at("/nextStep")
                            .asText())
                    .as(body)
                    .contains("layer");
        }
        assertThat(post("/api/jobs/none/attention", "{\"layer\":1,\"head\":2,\"sample\":3}")
                        .statusCode())
                .isEqualTo(404);
        for (String path : List.of("heatmap?name=x", "matrix?name=", "timeline?name=x", "attention?name=x")) {
            assertThat(json(get("/api/jobs/demo/" + path), 404).at("/nextStep").asText())
                    .as(path)
                    .contains("/frames");
        }
        assertThat(publisher.asked).isEmpty();
    }

    /** Case F03: what was read is there at once, and the feed is asked for the rest alone. */
    @Test
    void aServerThatIsStartedAgainGoesOnFromWhatItHadRead(@TempDir Path state) throws Exception {
        UiOptions kept = UiOptions.loopback(0, FakeFeed.POOL).keptIn(state);
        var first = new FakeFeed();
        try (UiServer one = UiServer.start(first, publisher, first.archive, kept)) {
            assertThat(first.reached()).isEmpty();
            story.runningJob("demo").forEach(first::emit);
            first.emit(story.after(50).step("demo", 1, 1, 0.5));
            await().until(() -> jobsAt(one).at("/0/progress/step").asLong() == 1);
        }
        var second = new FakeFeed();
        try (UiServer two = UiServer.start(second, publisher, second.archive, kept)) {
            assertThat(second.reached().orElseThrow().journalOffset())
                    .isEqualTo(story.decision().offset() - 1);
            assertThat(jobsAt(two).at("/0/progress/step").asLong()).isEqualTo(1);
            second.emit(new ClusterFeed.StartedAnew());
            await().until(() -> jobsAt(two).isEmpty());
        }
    }

    private JsonNode jobsAt(UiServer at) throws Exception {
        var ask = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at.port() + "/api/state"))
                .build();
        return new ObjectMapper()
                .readTree(http.send(ask, HttpResponse.BodyHandlers.ofString()).body())
                .get("jobs");
    }

    @Test
    void theLogIsSearchedAndPagedOnTheServer() throws Exception {
        for (int i = 1; i <= 120; i++) {
            feed.emit(story.after(10).step("demo", 1, i, 1.0));
        }
        feed.emit(story.refused("c9", "demo", "workers must be at least 1", "workers=0", "ask for 1"));
        JsonNode refused = json(get("/api/log?only=refused"), 200);
        assertThat(refused.at("/rows")).hasSize(1);
        assertThat(refused.at("/rows/0/refusals/0/nextStep").asText()).isEqualTo("ask for 1");
        assertThat(json(get("/api/log?q=ASK+FOR"), 200).at("/rows")).hasSize(1);
        assertThat(json(get("/api/log?steps=true&q=step+77+of"), 200)
                        .at("/rows/0/step")
                        .asInt())
                .isEqualTo(77);
        assertThat(json(get("/api/log?q=no+such+thing"), 200).at("/rows")).isEmpty();
        feed.archive.away = "no answer within 10 s";
        assertThat(json(get("/api/log"), 503).at("/value").asText()).isEqualTo("no answer within 10 s");
        for (String path : List.of(
                "/api/log?topic=none",
                "/api/log?from=x",
                "/api/log?next=1",
                "/api/log?limit=0",
                "/api/log?since=now")) {
            assertThat(json(get(path), 400).at("/rule").asText()).as(path).isNotEmpty();
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(PATIENCE);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(request(path).header("Content-Type", "application/json"), body);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String body)
            throws IOException, InterruptedException {
        return http.send(
                request.POST(HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> response, int status) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        return JSON.readTree(response.body());
    }

    /** What no HTTP client would send. */
    private String raw(String request) throws IOException {
        try (var socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A plain client of the stream. */
    private static final class Sse implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader lines;
        private String lastId = "";
        private String data = "";

        Sse(int port, String path, String lastEventId) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: " + lastEventId
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        JsonNode next(String type) throws IOException {
            while (!nextType().equals(type)) {
                // not asked for
            }
            return JSON.readTree(data);
        }

        String nextType() throws IOException {
            String type = "";
            String line;
            while ((line = lines.readLine()) != null) {
                if (line.startsWith("id: ")) {
                    lastId = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    type = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                    return type;
                }
            }
            throw new IOException("the stream ended");
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
