package io.myolotrain.ui.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.ui.frames.FrameStore;
import io.myolotrain.ui.frames.Timeline;
import io.myolotrain.ui.frames.TraceEvents;
import io.myolotrain.ui.live.LiveState;
import io.myolotrain.ui.port.ChangePublisher;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;

/** Pictures of steps, reduced here to what a screen can show, and the way to ask for one. */
final class FrameRoutes {
    private static final int COLUMNS_DEFAULT = 400;
    private static final int COLUMNS_MAX = 2_000;
    private static final int ROWS_DEFAULT = 128;
    private static final int ROWS_MAX = 1_024;
    private static final int STEPS_DEFAULT = 3;
    private static final int STEPS_MAX = 50;
    private static final int TRACE_STEPS_MAX = 1_000;
    private static final String ATTENTION = "/api/jobs/:id/attention";

    private final PoolId pool;
    private final LiveState live;
    private final ChangePublisher publisher;
    private final Guards guards;

    FrameRoutes(PoolId pool, LiveState live, ChangePublisher publisher, Guards guards) {
        this.pool = pool;
        this.live = live;
        this.publisher = publisher;
        this.guards = guards;
    }

    record Asked(String eventId) {}

    void mount(Router router) {
        router.get("/api/jobs/:id/frames").handler(this::list);
        router.get("/api/jobs/:id/heatmap").handler(this::heatmap);
        router.get("/api/jobs/:id/matrix").handler(this::matrix);
        router.get("/api/jobs/:id/timeline").handler(this::timeline);
        router.get("/api/jobs/:id/trace").handler(this::trace);
        router.get(ATTENTION).handler(this::attention);
        router.post(ATTENTION).handler(guards::change);
        router.post(ATTENTION)
                .handler(BodyHandler.create(false).setBodyLimit(ConfigRoute.BODY_BYTES_MAX))
                .handler(this::ask);
    }

    private void list(RoutingContext ctx) {
        String id = ctx.pathParam("id");
        live.frames(id).ifPresentOrElse(names -> ApiRoutes.json(ctx, 200, names), () -> ApiRoutes.noJob(ctx, id));
    }

    private void heatmap(RoutingContext ctx) {
        var ask = new Parameters(ctx);
        Integer layer = ask.optionalInt("layer");
        long from = ask.bigNumber("from", 0);
        long to = ask.bigNumber("to", Long.MAX_VALUE);
        int columns = ask.number("columns", COLUMNS_DEFAULT, 1, COLUMNS_MAX);
        answer(ctx, ask, FrameStore::histograms, (track, response) -> {
            Object body = layer == null ? track.heatmap(from, to, columns) : track.magnitudes(layer, from, to, columns);
            ApiRoutes.json(response, 200, body);
        });
    }

    private void matrix(RoutingContext ctx) {
        var ask = new Parameters(ctx);
        long step = ask.bigNumber("step", Long.MAX_VALUE);
        Long minus = ask.optionalNumber("minus");
        int firstRow = ask.number("row", 0, 0, Integer.MAX_VALUE);
        int rows = ask.number("rows", ROWS_DEFAULT, 1, ROWS_MAX);
        answer(ctx, ask, FrameStore::matrices, (track, response) -> track.view(step, minus, firstRow, rows)
                .ifPresentOrElse(view -> ApiRoutes.json(response, 200, view), () -> Problem.badRequest(
                                "a difference is of two matrices of one size",
                                "step=" + step + " minus=" + minus,
                                "choose two steps of one model")
                        .send(response)));
    }

    private void timeline(RoutingContext ctx) {
        var ask = new Parameters(ctx);
        long to = ask.bigNumber("to", Long.MAX_VALUE);
        int steps = ask.number("steps", STEPS_DEFAULT, 1, STEPS_MAX);
        answer(
                ctx,
                ask,
                FrameStore::spans,
                (track, response) -> ApiRoutes.json(response, 200, track.timeline(to, steps)));
    }

    /** For chrome://tracing and ui.perfetto.dev. */
    private void trace(RoutingContext ctx) {
        var ask = new Parameters(ctx);
        long to = ask.bigNumber("to", Long.MAX_VALUE);
        int steps = ask.number("steps", STEPS_DEFAULT, 1, TRACE_STEPS_MAX);
        String id = ctx.pathParam("id");
        answer(ctx, ask, FrameStore::spans, (track, response) -> {
            Timeline timeline = track.timeline(to, steps);
            response.response()
                    .putHeader(
                            HttpHeaders.CONTENT_DISPOSITION,
                            "attachment; filename=\"" + id + "-to-step-"
                                    + (timeline.steps().isEmpty()
                                            ? 0
                                            : timeline.steps()
                                                    .get(timeline.steps().size() - 1)
                                                    .step())
                                    + ".trace.json\"");
            ApiRoutes.json(response, 200, TraceEvents.of(id, timeline));
        });
    }

    private void attention(RoutingContext ctx) {
        var ask = new Parameters(ctx);
        Integer layer = ask.optionalInt("layer");
        Integer head = ask.optionalInt("head");
        String request = ask.text("request");
        answer(ctx, ask, FrameStore::attention, (track, response) -> track.view(request, layer, head)
                .ifPresentOrElse(view -> ApiRoutes.json(response, 200, view), () -> Problem.notFound(
                                "an attention map is kept from its report on, the newest 64",
                                "layer=" + layer + " head=" + head + " request=" + request,
                                "ask for one with POST " + ctx.request().path())
                        .send(response)));
    }

    private interface Answer<T> {
        void of(T track, RoutingContext ctx);
    }

    private <T> void answer(
            RoutingContext ctx,
            Parameters ask,
            BiFunction<FrameStore, FrameStore.Key, Optional<T>> which,
            Answer<T> answer) {
        String id = ctx.pathParam("id");
        String name = ask.text("name");
        Optional<FrameStore.Key> key = live.frameKey(id, name);
        if (key.isEmpty()) {
            ApiRoutes.noJob(ctx, id);
            return;
        }
        which.apply(live.frameStore(), key.get())
                .ifPresentOrElse(track -> answer.of(track, ctx), () -> Problem.notFound(
                                "a picture has a name that the job has reported",
                                "name=" + name,
                                "list the names with GET /api/jobs/" + id + "/frames")
                        .send(ctx));
    }

    private void ask(RoutingContext ctx) {
        String id = ctx.pathParam("id");
        if (live.job(id).isEmpty()) {
            ApiRoutes.noJob(ctx, id);
            return;
        }
        JsonNode body = body(ctx.body().asString());
        var request = new SamplingRequest.AttentionRequest(
                new JobId(id),
                number(body, "layer").intValue(),
                number(body, "head").intValue(),
                number(body, "sample"),
                body.path("requestedBy").asText("api").isBlank()
                        ? "api"
                        : body.path("requestedBy").asText("api"));
        String eventId = UUID.randomUUID().toString();
        Future.fromCompletionStage(
                        publisher.ask(pool, eventId, request), ctx.vertx().getOrCreateContext())
                .onSuccess(done -> ApiRoutes.json(ctx, 202, new Asked(eventId)))
                .onFailure(failure -> Problem.of(
                                503,
                                "Log not reachable",
                                "a request is written to the topic sampling-changes before it counts",
                                String.valueOf(failure.getMessage()),
                                "start the broker or check its address, then try again; nothing was asked")
                        .send(ctx));
    }

    private static JsonNode body(String text) {
        try {
            JsonNode root = Json.MAPPER.readTree(text == null ? "" : text);
            if (root != null && root.isObject()) {
                return root;
            }
        } catch (JsonProcessingException e) {
            throw refused("the body is JSON", "not JSON");
        }
        throw refused("the body is an object with layer, head and sample", "no object");
    }

    private static Long number(JsonNode body, String field) {
        JsonNode value = body.path(field);
        if (!value.isIntegralNumber() || value.asLong() < 0 || value.asLong() > Integer.MAX_VALUE) {
            throw refused(field + " is a whole number from 0", field + "=" + value);
        }
        return value.asLong();
    }

    private static Problem.ProblemException refused(String rule, String value) {
        return new Problem.ProblemException(
                Problem.badRequest(rule, value, "send {\"layer\": 0, \"head\": 0, \"sample\": 0}"));
    }
}
