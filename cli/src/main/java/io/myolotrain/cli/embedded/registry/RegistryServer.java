package io.myolotrain.cli.embedded.registry;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The registry as a running server on loopback. Knows everything that was ever registered before it answers first. */
public final class RegistryServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryServer.class);
    private static final long START_TIMEOUT_MS = 10_000;

    private final Vertx vertx;
    private final SchemaStore store;
    private final HttpServer http;

    private RegistryServer(Vertx vertx, SchemaStore store, HttpServer http) {
        this.vertx = vertx;
        this.store = store;
        this.http = http;
    }

    /** @param port 0 = any free one */
    public static RegistryServer start(String bootstrap, int port) {
        SchemaStore store = SchemaStore.open(bootstrap);
        Vertx vertx = Vertx.vertx();
        try {
            var routes = new RegistryRoutes(vertx, store, new Subjects(store));
            HttpServer http = await(
                    vertx.createHttpServer().requestHandler(routes.router()).listen(port, "127.0.0.1"));
            LOG.atInfo().addKeyValue("port", http.actualPort()).log("schema registry started");
            return new RegistryServer(vertx, store, http);
        } catch (RuntimeException e) {
            store.close();
            vertx.close();
            throw e;
        }
    }

    public String url() {
        return "http://127.0.0.1:" + http.actualPort();
    }

    @Override
    public void close() {
        await(http.close());
        store.close();
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.await(START_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "the registry's HTTP server did not answer in " + START_TIMEOUT_MS + " ms", e);
        }
    }
}
