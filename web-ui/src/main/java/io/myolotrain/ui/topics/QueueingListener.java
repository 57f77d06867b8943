package io.myolotrain.ui.topics;

import io.myolotrain.topics.Topic;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.ui.port.ClusterFeed;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers one topic's records and remembers how far it is. Runs on the reader's thread. */
final class QueueingListener<V> implements TopicListener<V> {
    private static final Logger LOG = LoggerFactory.getLogger(QueueingListener.class);

    private final Topic<V> topic;
    private final FeedQueue queue;
    private final BrokerProbe probe;
    private final Predicate<String> wanted;
    private final Consumer<Received<V>> deliver;
    private final Runnable startedAnew;
    private final Map<Integer, Long> nextOffsets = new ConcurrentHashMap<>();

    /**
     * @param wanted of which keys records are read at all
     * @param deliver may throw {@link IllegalArgumentException} for a record that cannot be used
     * @param startedAnew called when the topic turns out to be another one than before
     */
    QueueingListener(
            Topic<V> topic,
            FeedQueue queue,
            BrokerProbe probe,
            Predicate<String> wanted,
            Consumer<Received<V>> deliver,
            Runnable startedAnew) {
        this.topic = topic;
        this.queue = queue;
        this.probe = probe;
        this.wanted = wanted;
        this.deliver = deliver;
        this.startedAnew = startedAnew;
    }

    @Override
    public boolean wants(int partition, long atMs, String key) {
        return wanted.test(key);
    }

    @Override
    public void onRecord(Received<V> record) {
        try {
            deliver.accept(record);
        } catch (IllegalArgumentException e) { // a key that is no pool
            queue.put(new ClusterFeed.Rejected(
                    topic.name(), record.partition(), record.offset(), record.atMs(), String.valueOf(e.getMessage())));
        }
        nextOffsets.put(record.partition(), record.offset() + 1);
    }

    @Override
    public void onUndecodable(Undecodable record) {
        queue.put(new ClusterFeed.Rejected(
                topic.name(), record.partition(), record.offset(), System.currentTimeMillis(), record.reason()));
        nextOffsets.put(record.partition(), record.offset() + 1);
    }

    @Override
    public AtGap onGap(Gap gap) {
        LOG.atWarn().addKeyValue("topic", topic).addKeyValue("gap", gap).log("the page goes on without these records");
        nextOffsets.remove(gap.partition());
        if (gap.firstKeptOffset() < gap.wantedOffset()) {
            startedAnew.run();
        }
        return AtGap.SKIP;
    }

    @Override
    public void onStopped(Exception cause) {
        probe.readerStopped(topic.name(), cause);
    }

    /** Before the first record, or instead of what was told: where reading begins. */
    void startAt(Map<Integer, Long> offsets) {
        nextOffsets.clear();
        nextOffsets.putAll(offsets);
    }

    long nextOffset(int partition) {
        return nextOffsets.getOrDefault(partition, 0L);
    }
}
