package io.myolotrain.ui;

import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.ui.http.UiVerticle;
import io.myolotrain.ui.port.ChangePublisher;
import io.myolotrain.ui.port.ClusterFeed;
import io.myolotrain.ui.port.LogArchive;
import io.myolotrain.ui.topics.TopicChangePublisher;
import io.myolotrain.ui.topics.TopicFeed;
import io.myolotrain.ui.topics.TopicLogArchive;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running web UI. Answers at once; what the log holds appears as it is read. */
public final class UiServer implements AutoCloseable {
    private static final long START_TIMEOUT_S = 60;
    private static final long CLOSE_TIMEOUT_S = 10;
    private static final Logger LOG = LoggerFactory.getLogger(UiServer.class);

    private final Vertx vertx;
    private final UiVerticle verticle;
    private final ClusterFeed feed;
    private final ChangePublisher publisher;
    private final LogArchive archive;
    private final UiOptions options;
    private final Runnable closeLast;

    private UiServer(
            Vertx vertx,
            UiVerticle verticle,
            ClusterFeed feed,
            ChangePublisher publisher,
            LogArchive archive,
            UiOptions options,
            Runnable closeLast) {
        this.vertx = vertx;
        this.verticle = verticle;
        this.feed = feed;
        this.publisher = publisher;
        this.archive = archive;
        this.options = options;
        this.closeLast = closeLast;
    }

    /** Over the topics. Returns when the page can be opened, whether the broker answers or not. */
    public static UiServer start(Connection connection, UiOptions options) {
        Codecs codecs = Codecs.of(connection);
        return start(
                new TopicFeed(connection, codecs, options.pool()),
                new TopicChangePublisher(connection, codecs),
                new TopicLogArchive(connection, codecs),
                options,
                codecs::close);
    }

    /** Over any feed, publisher and archive; all are closed with the server. */
    public static UiServer start(ClusterFeed feed, ChangePublisher publisher, LogArchive archive, UiOptions options) {
        return start(feed, publisher, archive, options, () -> {});
    }

    private static UiServer start(
            ClusterFeed feed, ChangePublisher publisher, LogArchive archive, UiOptions options, Runnable closeLast) {
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
        var verticle = new UiVerticle(options, feed, publisher, archive);
        var server = new UiServer(vertx, verticle, feed, publisher, archive, options, closeLast);
        try {
            vertx.deployVerticle(verticle)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(START_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            server.close();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the web UI started", e);
        } catch (ExecutionException | TimeoutException e) {
            server.close();
            throw new IllegalStateException(
                    "the web UI must be able to start: host=" + options.host() + " port=" + options.port() + ": "
                            + (e.getCause() == null
                                    ? "no answer in time"
                                    : e.getCause().getMessage())
                            + "; is the port free?",
                    e);
        }
        feed.start(verticle.sink(), verticle.reached());
        LOG.atInfo().addKeyValue("address", server.address()).log("web UI listens");
        return server;
    }

    public int port() {
        return verticle.port();
    }

    /** What a person opens. */
    public String address() {
        String host = options.host().equals("0.0.0.0") || options.host().equals("::") ? "localhost" : options.host();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/";
    }

    @Override
    public void close() {
        feed.close();
        publisher.close();
        archive.close();
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.atWarn().setCause(e).log("the web UI did not close in time");
        } finally {
            closeLast.run();
        }
    }
}
