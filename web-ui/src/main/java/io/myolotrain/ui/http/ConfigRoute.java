package io.myolotrain.ui.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.ui.live.ChangeView;
import io.myolotrain.ui.live.LiveState;
import io.myolotrain.ui.live.Preview;
import io.myolotrain.ui.port.ChangePublisher;
import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * POST /api/jobs/{id}/config: publishes what a person asks for. Only the form is checked here; whether it can be is the
 * coordinator's decision, so that a refusal stands in the log like everything else. With /preview, what it would decide.
 */
final class ConfigRoute {
    static final int BODY_BYTES_MAX = 16 << 10;
    private static final String PATH = "/api/jobs/:id/config";
    private static final String PREVIEW_PATH = PATH + "/preview";
    private static final int CHANGES_MAX = 32;
    private static final int KEY_CHARS_MAX = 64;
    private static final int VALUE_CHARS_MAX = 256;
    private static final Logger LOG = LoggerFactory.getLogger(ConfigRoute.class);

    private final PoolId pool;
    private final LiveState live;
    private final ChangePublisher publisher;
    private final Guards guards;

    ConfigRoute(PoolId pool, LiveState live, ChangePublisher publisher, Guards guards) {
        this.pool = pool;
        this.live = live;
        this.publisher = publisher;
        this.guards = guards;
    }

    record Accepted(String eventId, ChangeView change) {}

    private record Request(SortedMap<String, String> changes, String requestedBy) {}

    void mount(Router router) {
        router.post(PATH).handler(guards::change);
        router.post(PATH)
                .handler(BodyHandler.create(false).setBodyLimit(BODY_BYTES_MAX))
                .handler(this::publish);
        router.post(PREVIEW_PATH).handler(guards::change);
        router.post(PREVIEW_PATH)
                .handler(BodyHandler.create(false).setBodyLimit(BODY_BYTES_MAX))
                .handler(this::preview);
    }

    /** What the same rules and planner would decide now. Nothing is written. */
    private void preview(RoutingContext ctx) {
        String id = ctx.pathParam("id");
        JobId job = job(id);
        Request request = parse(ctx.body().asString());
        ClusterState state = live.cluster(); // immutable: planning may take its time elsewhere
        long atMs = System.currentTimeMillis();
        ctx.vertx()
                .executeBlocking(() -> Preview.of(state, job, request.changes, request.requestedBy, atMs), false)
                .onSuccess(preview -> ApiRoutes.json(ctx, 200, preview))
                .onFailure(ctx::fail);
    }

    private void publish(RoutingContext ctx) {
        JobId job = job(ctx.pathParam("id"));
        Request request = parse(ctx.body().asString());
        String eventId = UUID.randomUUID().toString();
        var event = new Event.ConfigChangeRequested(job, request.changes, request.requestedBy);
        long atMs = System.currentTimeMillis();
        Future.fromCompletionStage(
                        publisher.publish(pool, eventId, event), ctx.vertx().getOrCreateContext())
                .onSuccess(done -> {
                    ChangeView change =
                            live.published(eventId, job.value(), request.changes, request.requestedBy, atMs);
                    ctx.response().putHeader("Location", "/api/changes/" + eventId);
                    ApiRoutes.json(ctx, 202, new Accepted(eventId, change));
                })
                .onFailure(failure -> {
                    LOG.atWarn()
                            .addKeyValue("job", job)
                            .addKeyValue("event", eventId)
                            .setCause(failure)
                            .log("could not publish a configuration change");
                    Problem.of(
                                    503,
                                    "Log not reachable",
                                    "a change is written to the topic config-changes before it counts",
                                    String.valueOf(failure.getMessage()),
                                    "start the broker or check its address, then try again; nothing was changed")
                            .send(ctx);
                });
    }

    private static JobId job(String id) {
        try {
            return new JobId(id);
        } catch (IllegalArgumentException e) {
            throw refused("a job is 1 to 63 of a-z 0-9 . _ - and starts with a letter or digit", id);
        }
    }

    private static Request parse(String body) {
        JsonNode root;
        try {
            root = Json.MAPPER.readTree(body == null ? "" : body);
        } catch (JsonProcessingException e) {
            throw refused("the body is JSON", "not JSON at " + where(e));
        }
        if (root == null || !root.isObject()) {
            throw refused(
                    "the body is an object with changes and requestedBy",
                    root == null ? "nothing" : root.getNodeType().name());
        }
        Iterator<String> fields = root.fieldNames();
        while (fields.hasNext()) {
            String field = fields.next();
            if (!field.equals("changes") && !field.equals("requestedBy")) {
                throw refused("the body holds changes and requestedBy, nothing else", field);
            }
        }
        JsonNode by = root.path("requestedBy");
        if (!by.isMissingNode() && (!by.isTextual() || by.asText().length() > KEY_CHARS_MAX)) {
            throw refused("requestedBy is text of at most " + KEY_CHARS_MAX + " characters", by.toString());
        }
        return new Request(changes(root.path("changes")), by.asText("api").isBlank() ? "api" : by.asText("api"));
    }

    private static SortedMap<String, String> changes(JsonNode node) {
        if (!node.isObject() || node.isEmpty() || node.size() > CHANGES_MAX) {
            throw refused(
                    "changes is an object of 1 to " + CHANGES_MAX + " settings",
                    node.isObject()
                            ? "settings=" + node.size()
                            : node.getNodeType().name());
        }
        var changes = new TreeMap<String, String>();
        for (Map.Entry<String, JsonNode> setting : node.properties()) {
            JsonNode value = setting.getValue();
            if (setting.getKey().isBlank() || setting.getKey().length() > KEY_CHARS_MAX) {
                throw refused("a key has 1 to " + KEY_CHARS_MAX + " characters", "key=\"" + setting.getKey() + "\"");
            }
            if (!value.isValueNode() || value.isNull() || value.asText().length() > VALUE_CHARS_MAX) {
                throw refused(
                        "a value is text, a number or a boolean of at most " + VALUE_CHARS_MAX + " characters",
                        setting.getKey() + "=" + value);
            }
            changes.put(setting.getKey(), value.asText());
        }
        return changes;
    }

    private static String where(JsonProcessingException e) {
        var at = e.getLocation();
        return at == null ? "its end" : "line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    private static Problem.ProblemException refused(String rule, String value) {
        return new Problem.ProblemException(
                Problem.badRequest(rule, value, "send {\"changes\": {\"workers\": 4}, \"requestedBy\": \"you\"}"));
    }
}
