package io.myolotrain.ui.port;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPoint;
import java.util.List;
import java.util.SortedMap;

/** Everything that the page knows, in the order in which it was written. The feed owns its thread. */
public interface ClusterFeed extends AutoCloseable {

    /**
     * Starts delivery from the oldest kept record on. The sink may block the feed's thread: that is the back-pressure.
     * Called once.
     */
    void start(Sink sink);

    /** Where the feed looks, for the sentences that a person reads when there is nothing to show. */
    Source source();

    @Override
    void close();

    /** @param topics names of the topics that are read */
    record Source(String bootstrap, String registry, List<String> topics) {
        public Source {
            topics = List.copyOf(topics);
        }
    }

    /** Receives batches from the feed's thread. */
    interface Sink {
        void accept(List<Item> batch) throws InterruptedException;
    }

    /** One thing that the feed has to tell. */
    sealed interface Item {}

    /** @param place where the topic of decisions holds it */
    record Decided(PoolId pool, Decision decision, Place place) implements Item {}

    /** A record's place in its topic. */
    record Place(int partition, long offset) {}

    record Measured(MetricPoint point) implements Item {}

    record Framed(MetricFrame frame) implements Item {}

    /**
     * A sign of life.
     *
     * @param atMs broker's clock
     */
    record Beat(Heartbeat heartbeat, long atMs) implements Item {}

    /** A record that no one could read or accept. */
    record Rejected(String topic, int partition, long offset, long atMs, String reason) implements Item {}

    /** The log was created anew: what was told before belongs to a log that is gone. */
    record StartedAnew() implements Item {}

    /**
     * How far the feed is.
     *
     * @param problem empty while the source answers, otherwise what failed
     * @param lagRecords by topic: records that are written but not told yet; about, where transactions leave markers
     */
    record Position(String problem, SortedMap<String, Long> lagRecords) implements Item {
        public boolean reachable() {
            return problem.isEmpty();
        }

        public boolean caughtUp() {
            return reachable() && lag() == 0;
        }

        /** Records that are not told yet, of all topics. */
        public long lag() {
            return lagRecords.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
