package io.myolotrain.cli.audit;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.Session;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A pool's records of a topic, pulled one at a time, up to the end that the topic had at the start. Holds a bounded number
 * of records: the reader waits while they are not wanted.
 */
final class OrderedPull<V> implements AutoCloseable {
    private static final int WAITING_MAX = 1_024;
    private static final long PULL_TIMEOUT_S = 60;

    private final Topic<V> topic;
    private final BlockingQueue<Item<V>> items = new ArrayBlockingQueue<>(WAITING_MAX);
    private final TopicReader<V> reader;

    /** Empty record: the end; with a failure: an early one. */
    private record Item<V>(
            TopicListener.@Nullable Received<V> record,
            @Nullable Throwable failure) {}

    OrderedPull(Session session, Topic<V> topic) {
        this.topic = topic;
        String pool = session.pool().value();
        this.reader =
                TopicReader.open(session.connection(), session.codecs(), topic, ReadFrom.completeHistory(), record -> {
                    if (record.key().equals(pool)) {
                        put(new Item<>(record, null));
                    }
                });
        var unused = reader.caughtUp().whenComplete((nothing, failure) -> put(new Item<>(null, failure)));
    }

    private void put(Item<V> item) {
        try {
            items.put(item);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while handing over a record of " + topic, e);
        }
    }

    /** Empty when the topic's end is reached; not to be called after that. */
    Optional<TopicListener.Received<V>> next() throws InterruptedException {
        Item<V> item = items.poll(PULL_TIMEOUT_S, TimeUnit.SECONDS);
        if (item == null) {
            throw unreadable("no record for " + PULL_TIMEOUT_S + " s", null);
        }
        Throwable failure = item.failure;
        if (failure != null) {
            throw unreadable(String.valueOf(failure.getMessage()), failure);
        }
        return Optional.ofNullable(item.record);
    }

    private CommandFailure unreadable(String why, @Nullable Throwable cause) {
        return CommandFailure.unreachable(
                "topic " + topic + " could not be read to its end: " + why,
                "Check that the broker runs and that the topic's history is complete.",
                cause);
    }

    @Override
    public void close() {
        items.clear(); // lets a reader go on that waits for room
        reader.close();
    }
}
