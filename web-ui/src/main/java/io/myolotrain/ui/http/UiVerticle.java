package io.myolotrain.ui.http;

import io.myolotrain.ui.UiOptions;
import io.myolotrain.ui.kept.KeptFile;
import io.myolotrain.ui.live.Kept;
import io.myolotrain.ui.live.LiveState;
import io.myolotrain.ui.port.ChangePublisher;
import io.myolotrain.ui.port.ClusterFeed;
import io.myolotrain.ui.port.LogArchive;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's one context: the feed's items come in, requests are answered, the stream goes out. */
public final class UiVerticle extends VerticleBase {
    static final long DRAIN_EVERY_MS = 100;
    static final long EXAMINE_EVERY_MS = 500;
    static final long HEARTBEAT_EVERY_MS = 10_000;
    static final long KEEP_LOOK_EVERY_MS = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(UiVerticle.class);

    private final UiOptions options;
    private final LiveState live;
    private final ChangePublisher publisher;
    private final LogArchive archive;
    private final Optional<KeptFile> file;
    private final Optional<ClusterFeed.Reached> reached;
    private @Nullable Keeper keeper;
    private @Nullable HttpServer server;
    private @Nullable StreamHub hub;
    private volatile int port;

    /** Reads what a server before it has kept. */
    public UiVerticle(UiOptions options, ClusterFeed feed, ChangePublisher publisher, LogArchive archive) {
        this.options = options;
        this.live = new LiveState(options.pool(), feed.source(), feed::open, System::currentTimeMillis);
        this.publisher = publisher;
        this.archive = archive;
        this.file = options.stateDirectory().map(directory -> new KeptFile(directory, options.pool()));
        Optional<Kept> kept = file.flatMap(KeptFile::read);
        kept.ifPresent(live::restore);
        this.reached = kept.map(Kept::reached);
    }

    /** Where the feed is to go on. */
    public Optional<ClusterFeed.Reached> reached() {
        return reached;
    }

    @Override
    public Future<?> start() {
        var hub = new StreamHub(Long.toString(System.currentTimeMillis(), 36));
        this.hub = hub;
        vertx.setPeriodic(DRAIN_EVERY_MS, tick -> hub.publish(live.drain()));
        vertx.setPeriodic(EXAMINE_EVERY_MS, tick -> live.examine());
        vertx.setPeriodic(HEARTBEAT_EVERY_MS, tick -> hub.heartbeat());
        file.ifPresent(to -> {
            var keeping = new Keeper(vertx, to, live);
            keeper = keeping;
            vertx.setPeriodic(KEEP_LOOK_EVERY_MS, tick -> keeping.look());
        });
        var http = new HttpServerOptions()
                .setHost(options.host())
                .setPort(options.port())
                .setMaxHeaderSize(16 << 10)
                .setMaxInitialLineLength(4 << 10)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setIdleTimeout(60); // the stream's heartbeat is shorter
        return vertx.createHttpServer(http)
                .requestHandler(routes(vertx, hub))
                .listen()
                .onSuccess(listening -> {
                    server = listening;
                    port = listening.actualPort();
                });
    }

    @Override
    public Future<?> stop() {
        if (hub != null) {
            hub.closeAll();
        }
        Future<?> kept = keeper == null ? Future.succeededFuture() : keeper.close();
        return server == null ? kept : Future.join(kept, server.close());
    }

    /** Where the feed's items go, once the verticle runs. */
    public ClusterFeed.Sink sink() {
        return new FeedHandover(context, live);
    }

    public int port() {
        return port;
    }

    Router routes(Vertx vertx, StreamHub hub) {
        var guards = new Guards(options);
        Router router = Router.router(vertx);
        router.route().handler(guards::headers).handler(guards::host);
        router.route("/api/*").handler(guards::token);
        new ApiRoutes(live, hub).mount(router);
        new LogRoutes(live, archive).mount(router);
        new StreamRoute(hub).mount(router);
        new ConfigRoute(options.pool(), live, publisher, guards).mount(router);
        new FrameRoutes(options.pool(), live, publisher, guards).mount(router);
        router.route("/api/*").handler(ctx -> Problem.notFound(
                        "the API has the routes of /openapi.yaml",
                        ctx.request().method() + " " + ctx.request().path(),
                        "read /openapi.yaml")
                .send(ctx));
        router.get().handler(new Webroot()::serve);
        router.route().failureHandler(UiVerticle::failed);
        return router;
    }

    private static void failed(RoutingContext ctx) {
        Throwable failure = ctx.failure();
        if (failure instanceof Problem.ProblemException refused) {
            refused.problem().send(ctx);
        } else if (ctx.statusCode() == 413) {
            Problem.of(
                            413,
                            "Too large",
                            "a body has at most " + ConfigRoute.BODY_BYTES_MAX + " bytes",
                            String.valueOf(ctx.request().getHeader("Content-Length")),
                            "send only the settings that change")
                    .send(ctx);
        } else {
            int status = ctx.statusCode() >= 400 ? ctx.statusCode() : 500;
            if (status >= 500) {
                LOG.atError()
                        .addKeyValue("path", ctx.request().path())
                        .setCause(failure)
                        .log("request failed");
            }
            Problem.of(
                            status,
                            status >= 500 ? "Internal error" : "Bad request",
                            "a request is answered",
                            ctx.request().method() + " " + ctx.request().path(),
                            status >= 500 ? "look at the server's log" : "read /openapi.yaml")
                    .send(ctx);
        }
    }
}
