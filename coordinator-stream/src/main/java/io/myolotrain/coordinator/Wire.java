package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.model.Plan;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.DeadLetter;
import io.myolotrain.topics.Decoded;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.JournalLine;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.TopicCodec;
import io.myolotrain.topics.Topics;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Bytes of the topics to values and back; safe for several stream threads.
 *
 * <p>An unknown schema id with no registry to ask says nothing about the record, so the record is neither skipped nor a
 * dead letter: reading waits for a moment, well below the transaction's time-out, and then throws what the codec threw;
 * the stream thread is replaced ({@link ThreadDoctor}) and starts again at the same record.
 */
final class Wire {
    private static final int ATTEMPTS = 8;
    private static final long PAUSE_MS = 250;

    private final SortedMap<String, TopicCodec<Ingress>> ingress = new TreeMap<>();
    private final TopicCodec<JournalLine> journal;
    private final TopicCodec<Decision> decisions;
    private final TopicCodec<Plan> plans;
    private final TopicCodec<DeadLetter> deadLetters;

    /** The bytes are to blame, now and for ever; the message is the broken rule. */
    static final class Unreadable extends Exception {
        Unreadable(String rule) {
            super(rule);
        }

        Rejection rejection() {
            return new Rejection(Rejection.Rule.UNREADABLE, String.valueOf(getMessage()));
        }
    }

    Wire(Codecs codecs) {
        for (Topic<Ingress> topic : Topics.ingress()) {
            ingress.put(topic.name(), codecs.of(topic));
        }
        journal = codecs.of(Topics.JOURNAL);
        decisions = codecs.of(Topics.DECISIONS);
        plans = codecs.of(Topics.REBALANCE_PLANS);
        deadLetters = codecs.of(Topics.DEAD_LETTERS);
    }

    Ingress ingress(String topic, byte[] value) throws Unreadable {
        TopicCodec<Ingress> codec = ingress.get(topic);
        if (codec == null) {
            throw new IllegalArgumentException("the sequencer reads ingress topics only: topic=" + topic);
        }
        return read(codec, value);
    }

    JournalLine journalLine(byte[] value) throws Unreadable {
        return read(journal, value);
    }

    Decision decision(byte[] value) throws Unreadable {
        return read(decisions, value);
    }

    byte[] encode(JournalLine line) {
        return journal.encode(line);
    }

    byte[] encode(Decision decision) {
        return decisions.encode(decision);
    }

    byte[] encode(Plan plan) {
        return plans.encode(plan);
    }

    byte[] encode(DeadLetter letter) {
        return deadLetters.encode(letter);
    }

    private static <V> V read(TopicCodec<V> codec, byte[] value) throws Unreadable {
        for (int attempt = 1; ; attempt++) {
            try {
                Decoded<V> decoded = codec.decode(value);
                if (decoded instanceof Decoded.Value<V> known) {
                    return known.value();
                }
                throw new Unreadable(((Decoded.Unreadable<V>) decoded).reason());
            } catch (RetriableException away) {
                if (attempt == ATTEMPTS) {
                    throw away;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
