package io.myolotrain.coordinator;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a coordinator is, for a health page.
 *
 * @param state of the stream client: CREATED, REBALANCING, RUNNING, PENDING_SHUTDOWN, NOT_RUNNING, PENDING_ERROR, ERROR
 * @param healthy runs and hears the broker; a standby that serves no pool is healthy too
 * @param rejected records put into the dead letters since this process started
 * @param backlog records that wait in the topics that are read, as the consumers last saw it
 * @param counts everything counted since this process started, by name; {@code rejected.*} says why
 * @param trouble why it is not healthy, or what it got over last
 */
public record CoordinatorHealth(
        String state,
        boolean healthy,
        long rejected,
        long backlog,
        SortedMap<String, Long> counts,
        Optional<String> trouble) {
    public CoordinatorHealth {
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }
}
