package io.myolotrain.topics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Puts a consumer where its reader wants it, and asks before it leaves anything out. Confined to the reader's thread. */
final class ReaderPositions {
    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final ReadFrom from;
    private final TopicListener<?> listener;
    /** End offsets at the start that were not reached yet. */
    private final Map<TopicPartition, Long> targets = new HashMap<>();

    ReaderPositions(Consumer<byte[], byte[]> consumer, String topic, ReadFrom from, TopicListener<?> listener) {
        this.consumer = consumer;
        this.topic = topic;
        this.from = from;
        this.listener = listener;
    }

    void assign() {
        List<TopicPartition> partitions = partitions();
        consumer.assign(partitions);
        Map<TopicPartition, Long> begin = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> end = consumer.endOffsets(partitions);
        Map<TopicPartition, Long> wanted = wanted(partitions, begin, end);
        targets.clear();
        for (TopicPartition partition : partitions) {
            long first = offset(begin, partition);
            long last = offset(end, partition);
            long next = offset(wanted, partition);
            if (next < first || next > last) {
                next = afterGap(partition, next, first);
            }
            consumer.seek(partition, next);
            if (next < last) {
                targets.put(partition, last);
            }
        }
    }

    /** The log's start overtook the reader, or the topic was created anew under it. */
    void recover(Map<TopicPartition, Long> lost) {
        Map<TopicPartition, Long> begin = consumer.beginningOffsets(lost.keySet());
        var ordered = new TreeMap<TopicPartition, Long>(Comparator.comparingInt(TopicPartition::partition));
        ordered.putAll(lost);
        ordered.forEach(
                (partition, wanted) -> consumer.seek(partition, afterGap(partition, wanted, offset(begin, partition))));
    }

    /** Whether every partition has been read up to where it ended at the start. */
    boolean caughtUp() {
        targets.entrySet().removeIf(target -> consumer.position(target.getKey()) >= target.getValue());
        return targets.isEmpty();
    }

    private long afterGap(TopicPartition partition, long wanted, long firstKept) {
        var gap = new TopicListener.Gap(topic, partition.partition(), wanted, firstKept);
        if (listener.onGap(gap) == TopicListener.AtGap.STOP) {
            throw new HistoryGone(gap);
        }
        return firstKept;
    }

    private List<TopicPartition> partitions() {
        List<PartitionInfo> known = consumer.partitionsFor(topic);
        if (known == null || known.isEmpty()) {
            throw new UnknownTopicOrPartitionException("a topic must exist before it is read: topic=" + topic);
        }
        var partitions = new ArrayList<TopicPartition>(known.size());
        known.stream()
                .sorted(Comparator.comparingInt(PartitionInfo::partition))
                .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
        return partitions;
    }

    private Map<TopicPartition, Long> wanted(
            Collection<TopicPartition> partitions, Map<TopicPartition, Long> begin, Map<TopicPartition, Long> end) {
        if (from instanceof ReadFrom.Beginning) {
            return begin;
        }
        if (from instanceof ReadFrom.End) {
            return end;
        }
        if (from instanceof ReadFrom.Timestamp timestamp) {
            return since(partitions, timestamp.unixMs(), end);
        }
        Map<TopicPartition, Long> wanted = new HashMap<>();
        for (TopicPartition partition : partitions) {
            long next = from instanceof ReadFrom.Offsets offsets
                    ? offsets.nextByPartition().getOrDefault(partition.partition(), 0L)
                    : 0L;
            wanted.put(partition, next);
        }
        return wanted;
    }

    private Map<TopicPartition, Long> since(
            Collection<TopicPartition> partitions, long unixMs, Map<TopicPartition, Long> end) {
        Map<TopicPartition, Long> query = new HashMap<>();
        partitions.forEach(partition -> query.put(partition, unixMs));
        Map<TopicPartition, Long> wanted = new HashMap<>(end);
        for (Map.Entry<TopicPartition, OffsetAndTimestamp> found :
                consumer.offsetsForTimes(query).entrySet()) {
            if (found.getValue() != null) {
                wanted.put(found.getKey(), found.getValue().offset());
            }
        }
        return wanted;
    }

    private static long offset(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        Long offset = offsets.get(partition);
        if (offset == null) {
            throw new IllegalStateException(
                    "the broker must name an offset for every partition: partition=" + partition);
        }
        return offset;
    }
}
