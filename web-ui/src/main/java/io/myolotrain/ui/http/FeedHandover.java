package io.myolotrain.ui.http;

import io.myolotrain.ui.live.LiveState;
import io.myolotrain.ui.port.ClusterFeed;
import io.vertx.core.Context;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Takes batches from the feed's thread to the server's context, in order and in bites. When too many bites wait, the feed
 * waits: that is all the back-pressure there is.
 */
final class FeedHandover implements ClusterFeed.Sink {
    static final int BITE_ITEMS_MAX = 256; // what the context folds before it looks at a request again
    static final int BITES_IN_FLIGHT_MAX = 8;

    private final Context context;
    private final LiveState live;
    private final Semaphore room = new Semaphore(BITES_IN_FLIGHT_MAX);

    FeedHandover(Context context, LiveState live) {
        this.context = context;
        this.live = live;
    }

    @Override
    public void accept(List<ClusterFeed.Item> batch) throws InterruptedException {
        for (int from = 0; from < batch.size(); from += BITE_ITEMS_MAX) {
            List<ClusterFeed.Item> bite =
                    List.copyOf(batch.subList(from, Math.min(batch.size(), from + BITE_ITEMS_MAX)));
            room.acquire();
            context.runOnContext(hop -> {
                try {
                    live.apply(bite);
                } finally {
                    room.release();
                }
            });
        }
    }
}
