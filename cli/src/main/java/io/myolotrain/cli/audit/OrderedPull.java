package io.myolotrain.cli.audit;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.Session;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A pool's records of a topic, pulled one at a time. Holds a bounded number of records: the reader waits while they are not
 * wanted.
 */
final class OrderedPull<V> implements AutoCloseable, Iterable<TopicListener.Received<V>> {
    private static final int WAITING_MAX = 1_024;
    private static final long PULL_TIMEOUT_S = 60;

    private final Topic<V> topic;
    private final BlockingQueue<Item<V>> items = new ArrayBlockingQueue<>(WAITING_MAX);
    private final TopicReader<V> reader;

    enum End {
        /** The last record that the topic held at the start. */
        OF_KEPT_RECORDS,
        /** None: the caller knows when it has enough. */
        NEVER
    }

    /** Without a record: the end; with a failure: an early one. */
    private record Item<V>(
            TopicListener.@Nullable Received<V> record,
            @Nullable Throwable failure) {}

    OrderedPull(Session session, Topic<V> topic, End end) {
        this.topic = topic;
        String pool = session.pool().value();
        this.reader =
                TopicReader.open(session.connection(), session.codecs(), topic, ReadFrom.completeHistory(), record -> {
                    if (record.key().equals(pool)) {
                        put(new Item<>(record, null));
                    }
                });
        var unused = reader.caughtUp().whenComplete((nothing, failure) -> {
            if (failure != null || end == End.OF_KEPT_RECORDS) {
                put(new Item<>(null, failure));
            }
        });
    }

    private void put(Item<V> item) {
        try {
            items.put(item);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while handing over a record of " + topic, e);
        }
    }

    private Item<V> take() {
        try {
            Item<V> item = items.poll(PULL_TIMEOUT_S, TimeUnit.SECONDS);
            if (item == null) {
                throw unreadable("no record for " + PULL_TIMEOUT_S + " s", null);
            }
            Throwable failure = item.failure;
            if (failure != null) {
                throw unreadable(String.valueOf(failure.getMessage()), failure);
            }
            return item;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading " + topic, e);
        }
    }

    private CommandFailure unreadable(String why, @Nullable Throwable cause) {
        return CommandFailure.unreachable(
                "topic " + topic + " could not be read to its end: " + why,
                "Check that the broker runs and that the topic's history is complete.",
                cause);
    }

    /** One pass only: the records are gone once they are pulled. */
    @Override
    public Iterator<TopicListener.Received<V>> iterator() {
        return new Iterator<>() {
            private @Nullable Item<V> ahead;

            @Override
            public boolean hasNext() {
                return ahead().record != null;
            }

            @Override
            public TopicListener.Received<V> next() {
                TopicListener.Received<V> record = ahead().record;
                if (record == null) {
                    throw new NoSuchElementException("topic " + topic + " has no further record");
                }
                ahead = null;
                return record;
            }

            private Item<V> ahead() {
                Item<V> item = ahead;
                if (item == null) {
                    item = take();
                    ahead = item;
                }
                return item;
            }
        };
    }

    @Override
    public void close() {
        items.clear(); // lets a reader go on that waits for room
        reader.close();
    }
}
