package io.myolotrain.worker.runtime;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.util.function.Supplier;

/** Health, status and Prometheus metrics of one worker. Read-only; bound to the worker's address. */
final class HealthServer {
    private final Vertx vertx;
    private final PrometheusMeterRegistry meters;
    private final Supplier<WorkerStatus> status;
    private final WorkerIdentity identity;

    HealthServer(Vertx vertx, PrometheusMeterRegistry meters, Supplier<WorkerStatus> status, WorkerIdentity identity) {
        this.vertx = vertx;
        this.meters = meters;
        this.status = status;
        this.identity = identity;
        Gauge.builder("myolotrain.worker.committed.step", () -> status.get().committedStep())
                .description("last committed step of the job that this worker trains")
                .register(meters);
        Gauge.builder("myolotrain.worker.generation", () -> status.get().generation())
                .description("generation of the plan in force at this worker")
                .register(meters);
        Gauge.builder("myolotrain.worker.world.size", () -> status.get().worldSize())
                .description("ranks of the plan in force, 0 on standby")
                .register(meters);
    }

    Future<HttpServer> listen(String address, int port) {
        Router router = Router.router(vertx);
        router.get("/health").handler(request -> request.json(health()));
        router.get("/metrics").handler(request -> request.response()
                .putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                .end(meters.scrape()));
        var options = new HttpServerOptions().setHost(address).setPort(port).setMaxInitialLineLength(4_096);
        return vertx.createHttpServer(options).requestHandler(router).listen();
    }

    private JsonObject health() {
        WorkerStatus now = status.get();
        return new JsonObject()
                .put("worker", identity.ref().id().value())
                .put("incarnation", identity.ref().incarnation())
                .put("state", now.state())
                .put("job", now.job())
                .put("generation", now.generation())
                .put("rank", now.rank())
                .put("worldSize", now.worldSize())
                .put("committedStep", now.committedStep())
                .put("kernel", identity.info().kernel());
    }
}
