package io.myolotrain.ui;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.ui.port.ClusterFeed;
import io.myolotrain.ui.port.LogArchive;
import java.util.List;
import java.util.TreeMap;

/** A feed in memory: what a test emits is what the log holds. */
public final class FakeFeed implements ClusterFeed {
    public static final PoolId POOL = new PoolId("default");
    /** What is decided is in the log too. */
    public final FakeArchive archive = new FakeArchive();

    private Sink sink = batch -> {
        throw new IllegalStateException("the feed is started first");
    };

    @Override
    public void start(Sink to) {
        sink = to;
    }

    @Override
    public Source source() {
        return new Source(
                "broker.test:9092", "http://registry.test", List.of("decisions", "metric-series", "dead-letters"));
    }

    @Override
    public void close() {}

    public void emit(Item... items) {
        try {
            sink.accept(List.of(items));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public void emit(Decision decision) {
        emit(decided(decision));
    }

    /** The item, with the decision written to the log first. */
    public Decided decided(Decision decision) {
        long offset = archive.write(
                LogArchive.Log.DECISIONS, 0, decision.atMs(), POOL.value(), new LogArchive.Decided(decision));
        return new Decided(POOL, decision, new Place(0, offset));
    }

    public void caughtUp() {
        emit(new Position("", new TreeMap<>()));
    }

    public void unreachable(String problem) {
        emit(new Position(problem, new TreeMap<>()));
    }

    public void lag(String topic, long records) {
        var lag = new TreeMap<String, Long>();
        lag.put(topic, records);
        emit(new Position("", lag));
    }
}
