package io.myolotrain.ui;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.ui.port.ClusterFeed;
import io.myolotrain.ui.port.LogArchive;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A feed in memory: what a test emits is what the log holds. */
public final class FakeFeed implements ClusterFeed {
    public static final PoolId POOL = new PoolId("default");
    /** What is decided is in the log too. */
    public final FakeArchive archive = new FakeArchive();

    private final List<Opened> opened = new CopyOnWriteArrayList<>();
    private volatile boolean pastsAreLong;
    private volatile Optional<Reached> reached = Optional.empty();

    private Sink sink = batch -> {
        throw new IllegalStateException("the feed is started first");
    };

    @Override
    public void start(Sink to, Optional<Reached> from) {
        sink = to;
        reached = from;
    }

    /** Where the server asked to go on. */
    public Optional<Reached> reached() {
        return reached;
    }

    @Override
    public Source source() {
        return new Source(
                "broker.test:9092", "http://registry.test", List.of("decisions", "metric-series", "dead-letters"));
    }

    /** The past of a run is what was emitted before: there is no more of it, unless the test says so. */
    @Override
    public void open(Run run, long sinceMs, long untilMs) {
        opened.add(new Opened(run, sinceMs, untilMs));
        // Never from the thread that asks, which is the one that takes items in.
        CompletableFuture.runAsync(() -> emit(new RunReading(run, pastsAreLong ? -1 : 0, !pastsAreLong, "")));
    }

    /** A call of {@link #open}. */
    public record Opened(Run run, long sinceMs, long untilMs) {}

    public List<Opened> opened() {
        return List.copyOf(opened);
    }

    /** From now on a test tells itself how far the past of a run is read. */
    public void pastsAreLong() {
        pastsAreLong = true;
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
