package io.myolotrain.topics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a consumer group finds all that it has not read yet. A stream application that was away for longer than a topic
 * keeps its records would go on at the oldest one that is left, without a word; this is asked before it starts.
 */
public final class GroupHistory {
    private static final Logger LOG = LoggerFactory.getLogger(GroupHistory.class);
    private static final long TIMEOUT_S = 30;

    private GroupHistory() {}

    /** What to do about a gap. */
    public enum AtGap {
        /** Nothing starts. */
        REFUSE,
        /** A person has decided to go on without the records; that is written to the dead letters. */
        ACCEPT
    }

    /**
     * @param component that asks, for the record of an accepted gap
     * @throws HistoryGone when records are gone that the group has not read and nobody has accepted that
     */
    public static void requireWhole(
            Connection connection,
            Codecs codecs,
            String group,
            Collection<? extends Topic<?>> topics,
            AtGap atGap,
            String component) {
        List<TopicListener.Gap> gaps = gaps(connection, group, topics);
        if (gaps.isEmpty()) {
            return;
        }
        if (atGap == AtGap.REFUSE) {
            throw new HistoryGone(
                    gaps,
                    "group=" + group + " has not read them. Restore the topics, or start once with"
                            + " --accept-history-gap to go on without these records; that decision is recorded");
        }
        try (Producers producers = Producers.open(connection, codecs, component)) {
            TopicWriter<DeadLetter> letters = producers.writer(Topics.DEAD_LETTERS);
            for (TopicListener.Gap gap : gaps) {
                LOG.atWarn().addKeyValue("group", group).addKeyValue("gap", gap).log("history gap accepted");
                letters.sendAndWait(
                        gap.topic(),
                        new DeadLetter(
                                gap.topic(),
                                gap.partition(),
                                gap.wantedOffset(),
                                gap + "; accepted at the start of " + component,
                                new byte[0],
                                System.currentTimeMillis()));
            }
        }
    }

    /** Ranges that the group would have to read next and that its topics do not hold. */
    static List<TopicListener.Gap> gaps(Connection connection, String group, Collection<? extends Topic<?>> topics) {
        try (Admin admin = Admin.create(new TreeMap<String, Object>(connection.clientSettings()))) {
            Map<TopicPartition, OffsetAndMetadata> committed =
                    await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
            var earliest = new TreeMap<TopicPartition, OffsetSpec>(GroupHistory::compare);
            var latest = new TreeMap<TopicPartition, OffsetSpec>(GroupHistory::compare);
            List<String> names = topics.stream().map(Topic::name).toList();
            await(admin.describeTopics(names).allTopicNames()).values().forEach(topic -> topic.partitions()
                    .forEach(info -> {
                        var partition = new TopicPartition(topic.name(), info.partition());
                        earliest.put(partition, OffsetSpec.earliest());
                        latest.put(partition, OffsetSpec.latest());
                    }));
            Map<TopicPartition, ListOffsetsResultInfo> begin =
                    await(admin.listOffsets(earliest).all());
            Map<TopicPartition, ListOffsetsResultInfo> end =
                    await(admin.listOffsets(latest).all());
            var gaps = new ArrayList<TopicListener.Gap>();
            for (TopicPartition partition : earliest.keySet()) {
                OffsetAndMetadata position = committed.get(partition);
                long next = position == null ? 0 : position.offset();
                long first = offset(begin, partition);
                if (next < first || next > offset(end, partition)) {
                    gaps.add(new TopicListener.Gap(partition.topic(), partition.partition(), next, first));
                }
            }
            return gaps;
        }
    }

    private static int compare(TopicPartition a, TopicPartition b) {
        int byTopic = a.topic().compareTo(b.topic());
        return byTopic != 0 ? byTopic : Integer.compare(a.partition(), b.partition());
    }

    private static long offset(Map<TopicPartition, ListOffsetsResultInfo> offsets, TopicPartition partition) {
        ListOffsetsResultInfo info = offsets.get(partition);
        if (info == null) {
            throw new IllegalStateException(
                    "the broker must name an offset for every partition: partition=" + partition);
        }
        return info.offset();
    }

    private static <T> T await(KafkaFuture<T> future) {
        try {
            return future.get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KafkaException known) {
                throw known;
            }
            throw new KafkaException("the broker must answer an administrative request", e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(
                    "the broker must answer within " + TIMEOUT_S + " s; check that it runs and its address", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while waiting for the broker", e);
        }
    }
}
