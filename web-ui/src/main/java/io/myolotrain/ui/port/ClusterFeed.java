package io.myolotrain.ui.port;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPoint;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Everything that the page knows, in the order in which it was written. The feed owns its thread. */
public interface ClusterFeed extends AutoCloseable {

    /**
     * Starts delivery: decisions behind those that were told before, or from the oldest kept on; what is measured only of runs
     * that were opened. The sink may block the feed's thread: that is the back-pressure. Called once.
     *
     * @param reached how far this server was before it was started again. When the log does not hold that decision any more,
     *     {@link StartedAnew} comes first and all is told from the oldest on
     */
    void start(Sink sink, Optional<Reached> reached);

    /**
     * Delivers what was measured of a run: first what the log holds, with {@link RunReading} in between, then what is new.
     * Never blocks. Of a run that is open already nothing is told again; the run that was opened longest ago may be closed.
     *
     * @param sinceMs when the run began, by the clock of decisions; 0 when that is not known
     * @param untilMs nothing of the run was measured later; {@link Long#MAX_VALUE} while it goes on
     */
    void open(Run run, long sinceMs, long untilMs);

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

    /**
     * How far decisions were told.
     *
     * @param nextOffsets by partition of their topic
     * @param last where the pool's newest decision stands; what follows tells whether the log is still the same
     */
    record Reached(
            SortedMap<Integer, Long> nextOffsets, Place last, long journalOffset, String eventId, String stateHash) {
        public Reached {
            nextOffsets = Collections.unmodifiableSortedMap(new TreeMap<>(nextOffsets));
        }

        /** Whether this is the decision that was told last. */
        public boolean isAt(Decision decision) {
            return decision.offset() == journalOffset
                    && decision.eventId().equals(eventId)
                    && decision.stateHash().equals(stateHash);
        }
    }

    /** @param attempt submission of the job */
    record Run(JobId job, String attempt) {}

    /**
     * How far a run's past is read.
     *
     * @param upToStep newest step of what was told so far, -1 when nothing was
     * @param complete whether the past is told; what follows is new
     * @param problem why it cannot be told, empty normally; the run is not open then
     */
    record RunReading(Run run, long upToStep, boolean complete, String problem) implements Item {}

    /** Nothing more is told of what the run measures, and what was told need not be kept. */
    record RunClosed(Run run) implements Item {}

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
