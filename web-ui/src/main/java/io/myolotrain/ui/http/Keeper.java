package io.myolotrain.ui.http;

import io.myolotrain.ui.kept.KeptFile;
import io.myolotrain.ui.live.Kept;
import io.myolotrain.ui.live.LiveState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what the page has read of decisions, whenever so much came that reading it again would take a moment. Used on the
 * server's context; the file is written beside it.
 */
final class Keeper {
    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
    /** About a second of reading. */
    static final long DECISIONS_MIN = 20_000;
    /** While a long history is read there is more to do than to write. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Vertx vertx;
    private final KeptFile file;
    private final LiveState live;
    private long writtenAtNanos = System.nanoTime();
    private Future<?> writing = Future.succeededFuture();
    private boolean failing;

    Keeper(Vertx vertx, KeptFile file, LiveState live) {
        this.vertx = vertx;
        this.file = file;
        this.live = live;
    }

    /** Called now and then. */
    void look() {
        if (writing.isComplete()
                && live.decisionsSinceKept() >= DECISIONS_MIN
                && System.nanoTime() - writtenAtNanos >= PAUSE_NANOS) {
            keep();
        }
    }

    /** At the end: nothing is read again that was read before. */
    Future<?> close() {
        return writing.compose(done -> live.decisionsSinceKept() == 0 ? Future.succeededFuture() : keep());
    }

    /** A file that cannot be written costs the next start some time, and nothing else: the future never fails. */
    private Future<?> keep() {
        Optional<Kept> kept = live.keep();
        if (kept.isEmpty()) {
            return Future.succeededFuture();
        }
        writing = vertx.<Void>executeBlocking(() -> {
                    file.write(kept.get());
                    return null;
                })
                .onSuccess(done -> failing = false)
                .recover(this::told)
                .onComplete(done -> writtenAtNanos = System.nanoTime());
        return writing;
    }

    private Future<Void> told(Throwable failure) {
        if (!failing || !(failure instanceof IOException)) {
            failing = true;
            LOG.atWarn()
                    .setCause(failure)
                    .log("what was read cannot be kept: the next start reads more decisions again");
        }
        return Future.succeededFuture();
    }
}
