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
        router.get("/api/runs").handler(ctx -> json(ctx, 200, live.runs()));
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
        var ask = new Parameters(ctx);
        String id = ctx.pathParam("id");
        String name = ask.text("name");
        if (name.isEmpty()) {
            live.seriesNames(
                            id,
                            ask.text("prefix"),
                            ask.text("q"),
                            ask.text("after"),
                            ask.number("limit", LIMIT_DEFAULT, 1, LIMIT_MAX))
                    .ifPresentOrElse(names -> json(ctx, 200, names), () -> noJob(ctx, id));
            return;
        }
        hub.publish(live.drain()); // what the answer holds is told before it, not once more after it
        var range = new LiveState.Range(
                ask.text("attempt"),
                ask.bigNumber("from", 0),
                ask.bigNumber("to", Long.MAX_VALUE),
                ask.number("points", POINTS_DEFAULT, 1, POINTS_MAX),
                ask.bigNumber("asOf", Long.MAX_VALUE));
        live.series(id, name, range).ifPresentOrElse(series -> json(ctx, 200, series), () -> noJob(ctx, id));
    }

    private void events(RoutingContext ctx) {
        var ask = new Parameters(ctx);
        String job = ask.text("job");
        json(
                ctx,
                200,
                live.events(
                        cursor(ask, "before"),
                        cursor(ask, "after"),
                        job.isEmpty() ? null : job,
                        ask.text("q"),
                        ask.number("limit", LIMIT_DEFAULT, 1, LIMIT_MAX)));
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

    static void noJob(RoutingContext ctx, String id) {
        Problem.notFound("the job is in this server's pool", id, "list the jobs with GET /api/jobs")
                .send(ctx);
    }

    private static EventLog.@Nullable Cursor cursor(Parameters ask, String name) {
        String value = ask.text(name);
        try {
            return value.isEmpty() ? null : EventLog.Cursor.parse(value);
        } catch (IllegalArgumentException e) {
            throw Parameters.refused(name + " is offset or offset-index, as in the id of an event", value);
        }
    }
}
