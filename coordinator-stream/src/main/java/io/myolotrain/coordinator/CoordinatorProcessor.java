package io.myolotrain.coordinator;

import static java.util.Objects.requireNonNull;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.model.PoolId;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Journal → decisions and plans. Everything that matters happens in {@link Fold} and in the core. */
final class CoordinatorProcessor implements Processor<String, byte[], String, byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorProcessor.class);

    private final Wire wire;
    private final Fold.Rules rules;
    private final CoordinatorOptions options;
    private final Counters counters;
    private final DeadLetters deadLetters;
    private @Nullable Commits commits;
    private @Nullable ProcessorContext<String, byte[]> context;
    private @Nullable Fold fold;

    CoordinatorProcessor(Wire wire, Fold.Rules rules, CoordinatorOptions options, Counters counters) {
        this.wire = wire;
        this.rules = rules;
        this.options = options;
        this.counters = counters;
        this.deadLetters = new DeadLetters(wire, counters);
    }

    /** Also called on a processor that has run before: a task that lost its transaction starts again from its store. */
    @Override
    public void init(ProcessorContext<String, byte[]> newContext) {
        KeyValueStore<String, byte[]> store = newContext.getStateStore(CoordinatorTopology.FOLD_STORE);
        context = newContext;
        commits = new Commits(newContext);
        fold = new Fold(rules, wire, store, options.bounds().snapshotEvery(), counters);
    }

    @Override
    public void process(Record<String, byte[]> record) {
        Arrival arrival = DeadLetters.arrival(requireNonNull(context), record);
        Optional<Rejection> refused = IngressGate.refuseShape(arrival);
        try {
            if (refused.isEmpty()) {
                JournalEntry entry = wire.journalLine(record.value()).at(arrival.offset());
                refused = decide(new PoolId(record.key()), entry);
            }
        } catch (Wire.Unreadable unreadable) {
            refused = Optional.of(unreadable.rejection());
        }
        refused.ifPresent(why -> requireNonNull(context)
                .forward(deadLetters.letter(arrival, why, nowMs()), CoordinatorTopology.JOURNAL_DEAD_LETTER_SINK));
    }

    /** Rules that throw are a bug of ours; the entry is put aside, loudly, because a pool that stops is worse. */
    private Optional<Rejection> decide(PoolId pool, JournalEntry entry) {
        Decision decision;
        try {
            decision = requireNonNull(fold).decide(pool, entry);
        } catch (RuntimeException bug) {
            LOG.atError()
                    .setCause(bug)
                    .addKeyValue("pool", pool)
                    .addKeyValue("offset", entry.offset())
                    .log("journal entry could not be decided");
            return Optional.of(new Rejection(Rejection.Rule.UNDECIDABLE, "the rules failed on this entry: " + bug));
        }
        counters.count(Counters.DECIDED);
        if (!decision.facts().isEmpty()) {
            publish(pool, decision);
        }
        return Optional.empty();
    }

    private void publish(PoolId pool, Decision decision) {
        byte[] encoded = wire.encode(decision);
        requireNonNull(fold).keep(pool, decision, encoded);
        forward(pool, encoded, decision.atMs(), CoordinatorTopology.DECISION_SINK);
        for (Fact fact : decision.facts()) {
            if (fact instanceof Fact.PlanIssued issued) {
                forward(pool, wire.encode(issued.plan()), decision.atMs(), CoordinatorTopology.PLAN_SINK);
                counters.count(Counters.PLANS);
            }
        }
        if (CommitPolicy.soon(decision)) {
            requireNonNull(commits).soon();
        }
    }

    private void forward(PoolId pool, byte[] value, long atMs, String sink) {
        requireNonNull(context).forward(new Record<>(pool.value(), value, atMs), sink);
    }

    private long nowMs() {
        return requireNonNull(context).currentSystemTimeMs();
    }
}
