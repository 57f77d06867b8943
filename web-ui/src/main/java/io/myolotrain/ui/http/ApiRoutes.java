package io.myolotrain.ui.http;

import io.myolotrain.ui.live.EventLog;
import io.myolotrain.ui.live.HealthView;
import io.myolotrain.ui.live.LiveState;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** What can be read. Every answer is made from memory, on the server's context. */
final class ApiRoutes {
    private static final int POINTS_DEFAULT = 1_000;
    private static final int POINTS_MAX = 5_000;
    private static final int LIMIT_DEFAULT = 100;
    private static final int LIMIT_MAX = 500;
    private static final int TEXT_CHARS_MAX = 200;

    private final LiveState live;
    private final StreamHub hub;

    ApiRoutes(LiveState live, StreamHub hub) {
        this.live = live;
        this.hub = hub;
    }

    void mount(Router router) {
        router.get("/api/state").handler(this::state);
        router.get("/api/jobs").handler(ctx -> json(ctx, 200, live.jobs()));
        router.get("/api/jobs/:id").handler(this::job);
        router.get("/api/jobs/:id/series").handler(this::series);
        router.get("/api/events").handler(this::events);
        router.get("/api/changes/:eventId").handler(this::change);
        router.get("/api/health").handler(this::health);
    }

    static void json(RoutingContext ctx, int status, Object body) {
        ctx.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(Json.encode(body));
    }

    /** Pages that have not heard of it yet are told first, so that the position holds for the state that is sent. */
    private void state(RoutingContext ctx) {
        hub.publish(live.drain());
        json(ctx, 200, live.state(hub.position()));
    }

    private void job(RoutingContext ctx) {
        String id = ctx.pathParam("id");
        live.job(id).ifPresentOrElse(job -> json(ctx, 200, job), () -> noJob(ctx, id));
    }

    private void series(RoutingContext ctx) {
        String id = ctx.pathParam("id");
        String name = text(ctx, "name");
        if (name.isEmpty()) {
            live.seriesNames(id, text(ctx, "q"), text(ctx, "after"), number(ctx, "limit", LIMIT_DEFAULT, 1, LIMIT_MAX))
                    .ifPresentOrElse(names -> json(ctx, 200, names), () -> noJob(ctx, id));
            return;
        }
        hub.publish(live.drain()); // what the answer holds is told before it, not once more after it
        long from = bigNumber(ctx, "from", 0);
        long to = bigNumber(ctx, "to", Long.MAX_VALUE);
        int points = number(ctx, "points", POINTS_DEFAULT, 1, POINTS_MAX);
        live.series(id, name, from, to, points).ifPresentOrElse(series -> json(ctx, 200, series), () -> noJob(ctx, id));
    }

    private void events(RoutingContext ctx) {
        String job = text(ctx, "job");
        json(
                ctx,
                200,
                live.events(
                        cursor(ctx, "before"),
                        cursor(ctx, "after"),
                        job.isEmpty() ? null : job,
                        text(ctx, "q"),
                        number(ctx, "limit", LIMIT_DEFAULT, 1, LIMIT_MAX)));
    }

    private void change(RoutingContext ctx) {
        String id = ctx.pathParam("eventId");
        live.change(id).ifPresentOrElse(change -> json(ctx, 200, change), () -> Problem.notFound(
                        "a change is known from its publication on, the newest 500",
                        id,
                        "look for the event id in GET /api/events?q=…")
                .send(ctx));
    }

    private void health(RoutingContext ctx) {
        HealthView health = live.health();
        json(
                ctx,
                health.status() == HealthView.Status.UNREACHABLE ? 503 : 200,
                new ServerHealth(health, hub.clients(), hub.slowClientsDropped()));
    }

    /** Health of the data and of the stream. */
    record ServerHealth(
            @com.fasterxml.jackson.annotation.JsonUnwrapped HealthView data,
            int streamClients,
            long slowClientsDropped) {}

    private static void noJob(RoutingContext ctx, String id) {
        Problem.notFound("the job is in this server's pool", id, "list the jobs with GET /api/jobs")
                .send(ctx);
    }

    private static EventLog.@Nullable Cursor cursor(RoutingContext ctx, String name) {
        String value = text(ctx, name);
        try {
            return value.isEmpty() ? null : EventLog.Cursor.parse(value);
        } catch (IllegalArgumentException e) {
            throw refused(name + " is offset or offset-index, as in the id of an event", value);
        }
    }

    private static String text(RoutingContext ctx, String name) {
        String value = ctx.request().getParam(name);
        if (value == null) {
            return "";
        }
        if (value.length() > TEXT_CHARS_MAX) {
            throw refused(name + " has at most " + TEXT_CHARS_MAX + " characters", "characters=" + value.length());
        }
        return value;
    }

    private static int number(RoutingContext ctx, String name, int otherwise, int min, int max) {
        long value = bigNumber(ctx, name, otherwise);
        if (value < min || value > max) {
            throw refused(name + " is in [" + min + ", " + max + "]", Long.toString(value));
        }
        return (int) value;
    }

    private static long bigNumber(RoutingContext ctx, String name, long otherwise) {
        String value = text(ctx, name);
        try {
            return value.isEmpty() ? otherwise : Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw refused(name + " is a whole number", value);
        }
    }

    private static Problem.ProblemException refused(String rule, String value) {
        return new Problem.ProblemException(Problem.badRequest(rule, value, "read /openapi.yaml"));
    }
}
