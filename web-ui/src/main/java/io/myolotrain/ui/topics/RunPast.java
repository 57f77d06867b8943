package io.myolotrain.ui.topics;

import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import io.myolotrain.ui.port.ClusterFeed.Framed;
import io.myolotrain.ui.port.ClusterFeed.Item;
import io.myolotrain.ui.port.ClusterFeed.Measured;
import io.myolotrain.ui.port.ClusterFeed.Run;
import io.myolotrain.ui.port.ClusterFeed.RunReading;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the log holds of one run. The broker's index of times leads to the run's begin, and nothing of another job is decoded:
 * how long this takes depends on what was measured while the run went on, not on how much the log holds in all.
 */
final class RunPast {
    /** How much later than a run's last decision the sampler may have written, and how far clocks may be apart. */
    static final long LATE_MS = TimeUnit.MINUTES.toMillis(10);

    private static final long PROGRESS_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Connection connection;
    private final Codecs codecs;
    private final RunGate gate;
    private final Consumer<Item> tell;
    private final Run run;
    private final String keys;
    private final long sinceMs;
    private final long untilMs;
    private final AtomicLong upToStep = new AtomicLong(-1);
    private final AtomicLong nextProgressNanos = new AtomicLong(System.nanoTime() + PROGRESS_EVERY_NANOS);

    RunPast(
            Connection connection,
            Codecs codecs,
            PoolId pool,
            RunGate gate,
            Consumer<Item> tell,
            Run run,
            long sinceMs,
            long untilMs) {
        this.connection = connection;
        this.codecs = codecs;
        this.gate = gate;
        this.tell = tell;
        this.run = run;
        this.keys = Topics.seriesKeysOf(pool, run.job());
        this.sinceMs = Math.max(0, sinceMs - LATE_MS); // by another clock than the broker's
        this.untilMs = untilMs > Long.MAX_VALUE - LATE_MS ? Long.MAX_VALUE : untilMs + LATE_MS;
    }

    static Run runOf(Line line) {
        return new Run(line.job(), line.attempt());
    }

    /** Blocks until the past is told, the run is closed or the thread interrupted. */
    void read() throws InterruptedException {
        do {
            tell.accept(new RunReading(run, -1, false, ""));
            try {
                readOnce();
            } catch (ExecutionException e) {
                gate.close(run);
                tell.accept(new RunReading(run, upToStep.get(), false, String.valueOf(e.getCause())));
                return;
            }
        } while (!gate.pastIsTold(run, new RunReading(run, upToStep.get(), true, "")) && gate.open(run));
    }

    private void readOnce() throws InterruptedException, ExecutionException {
        var points =
                new Part<MetricPoint>(Topics.METRIC_SERIES, Measured::new, MetricPoint::line, MetricPoint::lastStep);
        var frames = new Part<MetricFrame>(
                Topics.METRIC_FRAMES, Framed::new, frame -> frame.origin().line(), frame -> frame.origin()
                        .step());
        try (var pointReader = open(points);
                var frameReader = open(frames)) {
            CompletableFuture.anyOf(points.isBeyond, pointReader.caughtUp()).get();
            CompletableFuture.anyOf(frames.isBeyond, frameReader.caughtUp()).get();
        }
    }

    private <V> TopicReader<V> open(Part<V> part) {
        return TopicReader.open(connection, codecs, part.topic, ReadFrom.timestamp(sinceMs), part);
    }

    /** One topic's part of the past. All calls but the constructor's come from its reader's thread. */
    private final class Part<V> implements TopicListener<V> {
        private final Topic<V> topic;
        private final Function<V, Item> item;
        private final Function<V, Line> line;
        private final Function<V, Long> step;
        /** Completes when what follows is not wanted any more. */
        private final CompletableFuture<Void> isBeyond = new CompletableFuture<>();

        private final BitSet beyond = new BitSet(); // partitions that are read up to a record after the run

        Part(Topic<V> topic, Function<V, Item> item, Function<V, Line> line, Function<V, Long> step) {
            this.topic = topic;
            this.item = item;
            this.line = line;
            this.step = step;
        }

        @Override
        public boolean wants(int partition, long atMs, String key) {
            if (atMs > untilMs) {
                beyond.set(partition);
                if (beyond.cardinality() == topic.partitions()) {
                    isBeyond.complete(null);
                }
                return false;
            }
            return !isBeyond.isDone() && key.startsWith(keys);
        }

        @Override
        public void onRecord(Received<V> record) {
            V value = record.value();
            if (!run.equals(runOf(line.apply(value)))) {
                return; // another attempt of the job
            }
            var source = new RunGate.Source(topic.name(), record.partition());
            if (!gate.past(source, record.offset(), run, item.apply(value))) {
                isBeyond.complete(null);
                return;
            }
            upToStep.accumulateAndGet(step.apply(value), Math::max);
            progress();
        }

        @Override
        public AtGap onGap(Gap gap) {
            return AtGap.SKIP; // what retention took while it was read is gone for everybody
        }
    }

    private void progress() {
        long due = nextProgressNanos.get();
        long now = System.nanoTime();
        if (now - due >= 0 && nextProgressNanos.compareAndSet(due, now + PROGRESS_EVERY_NANOS)) {
            tell.accept(new RunReading(run, upToStep.get(), false, ""));
        }
    }
}
