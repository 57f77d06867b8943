package io.myolotrain.ui.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** GET /api/stream: what changes, as server-sent events, from a place on. */
final class StreamRoute {
    private static final int SERIES_MAX = 64; // watched by one page
    private static final String RETRY = "retry: 1000\n\n";

    private final StreamHub hub;

    StreamRoute(StreamHub hub) {
        this.hub = hub;
    }

    void mount(Router router) {
        router.get("/api/stream").handler(this::open);
    }

    private void open(RoutingContext ctx) {
        String job = parameter(ctx, "job");
        List<String> asked = List.of(parameter(ctx, "series").split(","));
        if (asked.size() > SERIES_MAX) {
            Problem.badRequest(
                            "a page watches at most " + SERIES_MAX + " series",
                            "series=" + asked.size(),
                            "ask for fewer")
                    .send(ctx);
            return;
        }
        Set<String> names = new TreeSet<>(asked);
        String lastId = ctx.request().getHeader("Last-Event-ID");
        long after = hub.resumeAfter(lastId == null ? ctx.request().getParam("after") : lastId);
        HttpServerResponse response = ctx.response();
        var client = new StreamClient(
                hub, response, job, names, after < 0 ? hub.newest() : after, System::currentTimeMillis);
        if (!hub.add(client)) {
            response.putHeader("Retry-After", "5");
            Problem.of(
                            503,
                            "Too many pages",
                            "at most " + StreamHub.CLIENTS_MAX + " pages follow the stream",
                            "pages=" + hub.clients(),
                            "close some, or read GET /api/state now and then")
                    .send(ctx);
            return;
        }
        response.closeHandler(closed -> hub.remove(client));
        response.exceptionHandler(broken -> hub.remove(client));
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader("X-Accel-Buffering", "no");
        // A page whose place is forgotten, or that followed another server, reads the state again.
        response.write(after < 0 ? RETRY + "id: " + hub.position() + "\nevent: reset\ndata: {}\n\n" : RETRY);
        client.pump();
    }

    private static String parameter(RoutingContext ctx, String name) {
        String value = ctx.request().getParam(name);
        return value == null ? "" : value;
    }
}
