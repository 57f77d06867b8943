package io.myolotrain.coordinator;

import static java.util.Objects.requireNonNull;

import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.HeartbeatIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.JournalLine;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Ingress topics → one order per pool: lets in what may come in, each event once, and stamps it with the sequencer's
 * clock. Signs of life go to the timekeeper, not into the journal.
 */
final class Sequencer implements Processor<String, byte[], String, Object> {
    private final Wire wire;
    private final CoordinatorOptions options;
    private final Counters counters;
    private final IngressGate gate;
    private final DeadLetters deadLetters;
    private @Nullable Commits commits;
    private @Nullable ProcessorContext<String, Object> context;
    private @Nullable RememberedIds ids;

    Sequencer(Wire wire, CoordinatorOptions options, Counters counters) {
        this.wire = wire;
        this.options = options;
        this.counters = counters;
        this.gate = new IngressGate(
                options.bounds().eventBytesMax(),
                options.clocks().futureTolerance().toMillis());
        this.deadLetters = new DeadLetters(wire, counters);
    }

    /** Also called on a processor that has run before: a task that lost its transaction starts again from its stores. */
    @Override
    public void init(ProcessorContext<String, Object> newContext) {
        KeyValueStore<String, String> store = newContext.getStateStore(CoordinatorTopology.IDS_STORE);
        context = newContext;
        commits = new Commits(newContext);
        ids = new RememberedIds(store, options.bounds().rememberedIds());
    }

    @Override
    public void process(Record<String, byte[]> record) {
        Arrival arrival = DeadLetters.arrival(requireNonNull(context), record);
        Optional<Rejection> refused = gate.refuseUnread(arrival, nowMs());
        if (refused.isPresent()) {
            reject(arrival, refused.get());
            return;
        }
        Ingress said;
        try {
            said = wire.ingress(arrival.topic(), record.value());
        } catch (Wire.Unreadable unreadable) {
            reject(arrival, unreadable.rejection());
            return;
        }
        PoolId pool = said.header().pool();
        gate.refuseRead(arrival, said, requireNonNull(ids).serves(pool), nowMs())
                .ifPresentOrElse(why -> reject(arrival, why), () -> admit(pool, said, record.timestamp()));
    }

    private void admit(PoolId pool, Ingress said, long writtenAtMs) {
        if (said instanceof HeartbeatIngress alive) {
            tell(pool, new Observation.Heard(alive.heartbeat().worker()), writtenAtMs);
        } else if (said instanceof EventIngress told) {
            String id = told.header().eventId();
            if (!requireNonNull(ids).firstTime(pool, id)) {
                counters.count(Counters.DUPLICATES);
                return;
            }
            Speaker.of(told.event()).forEach(seen -> tell(pool, seen, writtenAtMs));
            var line = new JournalLine(id, nowMs(), told.event());
            requireNonNull(context)
                    .forward(
                            new Record<>(pool.value(), wire.encode(line), line.atMs()),
                            CoordinatorTopology.JOURNAL_SINK);
            counters.count(Counters.SEQUENCED);
            if (CommitPolicy.soon(told.event())) {
                requireNonNull(commits).soon();
            }
        }
    }

    /** With the broker's time: how old the news is tells the timekeeper how far behind we are. */
    private void tell(PoolId pool, Observation seen, long writtenAtMs) {
        requireNonNull(context).forward(new Record<>(pool.value(), seen, writtenAtMs), CoordinatorTopology.TIMEKEEPER);
    }

    private void reject(Arrival arrival, Rejection why) {
        requireNonNull(context)
                .forward(deadLetters.letter(arrival, why, nowMs()), CoordinatorTopology.DEAD_LETTER_SINK);
    }

    private long nowMs() {
        return requireNonNull(context).currentSystemTimeMs();
    }
}
