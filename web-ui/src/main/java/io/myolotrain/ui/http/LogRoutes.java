package io.myolotrain.ui.http;

import io.myolotrain.ui.live.LiveState;
import io.myolotrain.ui.live.LogPage;
import io.myolotrain.ui.live.PastStates;
import io.myolotrain.ui.port.LogArchive;
import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The logs in pages, and the pool as it was at a journal offset: read from the topics when they are asked for. */
final class LogRoutes {
    private static final int LIMIT_DEFAULT = 100;
    private static final int LIMIT_MAX = 500;
    private static final Logger LOG = LoggerFactory.getLogger(LogRoutes.class);

    private final LiveState live;
    private final LogArchive archive;

    LogRoutes(LiveState live, LogArchive archive) {
        this.live = live;
        this.archive = archive;
    }

    void mount(Router router) {
        router.get("/api/log").handler(this::page);
        router.get("/api/history").handler(ctx -> ApiRoutes.json(ctx, 200, live.extent()));
        router.get("/api/history/:offset").handler(this::past);
    }

    private void page(RoutingContext ctx) {
        var ask = new Parameters(ctx);
        var query = new LogPage.Query(
                log(ask.text("topic")),
                ask.optionalInt("partition"),
                ask.optionalNumber("from"),
                ask.optionalNumber("since"),
                ask.offsets("next"),
                ask.text("q"),
                ask.text("job"),
                ask.text("only"),
                ask.text("steps").equals("true"),
                ask.number("limit", LIMIT_DEFAULT, 1, LIMIT_MAX));
        answer(ctx, archive.read(records -> LogPage.read(records, query)), page -> ApiRoutes.json(ctx, 200, page));
    }

    private void past(RoutingContext ctx) {
        long offset = offset(ctx.pathParam("offset"));
        PastStates.@Nullable Start start = live.pastStart(offset);
        if (start == null) {
            Problem.notFound(
                            "a past state follows from decisions", "no decision is known yet", "submit a job, then ask")
                    .send(ctx);
            return;
        }
        answer(
                ctx,
                archive.read(records -> PastStates.refold(records, start, offset)),
                refolded -> ApiRoutes.json(ctx, 200, live.pastView(refolded)));
    }

    private <T> void answer(RoutingContext ctx, CompletionStage<T> reading, Consumer<T> then) {
        Future.fromCompletionStage(reading, ctx.vertx().getOrCreateContext())
                .onSuccess(then::accept)
                .onFailure(failure -> {
                    LOG.atWarn().setCause(failure).log("could not read a log");
                    Problem.of(
                                    503,
                                    "Log not reachable",
                                    "a page of a log is read from its topic when it is asked for",
                                    String.valueOf(failure.getMessage()),
                                    "start the broker or check its address, then try again")
                            .send(ctx);
                });
    }

    private static LogArchive.Log log(String topic) {
        if (topic.isEmpty()) {
            return LogArchive.Log.DECISIONS;
        }
        return Arrays.stream(LogArchive.Log.values())
                .filter(log -> log.topic().equals(topic))
                .findFirst()
                .orElseThrow(() -> Parameters.refused(
                        "topic is one of "
                                + Arrays.stream(LogArchive.Log.values())
                                        .map(LogArchive.Log::topic)
                                        .collect(Collectors.joining(", ")),
                        topic));
    }

    private static long offset(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw Parameters.refused("offset is a whole number", text);
        }
    }
}
