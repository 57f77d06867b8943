package io.myolotrain.ui.topics;

import io.myolotrain.topics.Topic;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.Topics;
import io.myolotrain.ui.port.ClusterFeed;
import io.myolotrain.ui.port.ClusterFeed.Item;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns one topic's records into items and remembers how far it is. Runs on the reader's thread. */
final class QueueingListener<V> implements TopicListener<V> {
    private static final long OFFER_TIMEOUT_MS = 100;
    private static final Logger LOG = LoggerFactory.getLogger(QueueingListener.class);

    private final Topic<V> topic;
    private final BlockingQueue<Item> queue;
    private final BrokerProbe probe;
    private final Function<Received<V>, Item> item;
    private final Map<Integer, Long> nextOffsets = new ConcurrentHashMap<>();

    QueueingListener(Topic<V> topic, BlockingQueue<Item> queue, BrokerProbe probe, Function<Received<V>, Item> item) {
        this.topic = topic;
        this.queue = queue;
        this.probe = probe;
        this.item = item;
    }

    @Override
    public void onRecord(Received<V> record) {
        try {
            put(item.apply(record));
        } catch (IllegalArgumentException e) { // a key that is no pool
            put(new ClusterFeed.Rejected(
                    topic.name(), record.partition(), record.offset(), record.atMs(), String.valueOf(e.getMessage())));
        }
        nextOffsets.put(record.partition(), record.offset() + 1);
    }

    @Override
    public void onUndecodable(Undecodable record) {
        put(new ClusterFeed.Rejected(
                topic.name(), record.partition(), record.offset(), System.currentTimeMillis(), record.reason()));
        nextOffsets.put(record.partition(), record.offset() + 1);
    }

    @Override
    public AtGap onGap(Gap gap) {
        LOG.atWarn().addKeyValue("topic", topic).addKeyValue("gap", gap).log("the page goes on without these records");
        nextOffsets.remove(gap.partition());
        if (gap.firstKeptOffset() < gap.wantedOffset() && topic == Topics.DECISIONS) {
            put(new ClusterFeed.StartedAnew());
        }
        return AtGap.SKIP;
    }

    @Override
    public void onStopped(Exception cause) {
        probe.readerStopped(topic.name(), cause);
    }

    long nextOffset(int partition) {
        return nextOffsets.getOrDefault(partition, 0L);
    }

    /** Waits for room as long as the feed is open. */
    private void put(Item next) {
        try {
            while (!probe.closed()) {
                if (queue.offer(next, OFFER_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
