package io.myolotrain.coordinator;

import static java.util.Objects.requireNonNull;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.JournalLine;
import java.util.function.BooleanSupplier;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns time into events: {@code WorkerLost} after silence, {@code TimerFired} at the coordinator's deadlines. */
final class Timekeeper implements Processor<String, Observation, String, byte[]> {
    /**
     * Older news than this, by the broker's clock, is read from a backlog, and in a backlog stands what everybody has said
     * meanwhile. A broker whose clock is further behind than this makes silence count for nothing; peers still do.
     */
    static final long BEHIND_MS = 1_000;

    /** A backlog is worked off sooner; what lasts longer, somebody should know. */
    private static final long BEHIND_TOLD_EVERY_MS = 60_000;

    private static final Logger log = LoggerFactory.getLogger(Timekeeper.class);

    private final Wire wire;
    private final CoordinatorOptions options;
    private final BooleanSupplier logReachable;
    private final Counters counters;
    private @Nullable Commits commits;
    private @Nullable ProcessorContext<String, byte[]> context;
    private @Nullable Watches watches;
    private long behindAtMs = Long.MIN_VALUE;
    private long behindByMs;
    private long behindSinceMs = Long.MIN_VALUE; // or since that was told last

    Timekeeper(Wire wire, CoordinatorOptions options, BooleanSupplier logReachable, Counters counters) {
        this.wire = wire;
        this.options = options;
        this.logReachable = logReachable;
        this.counters = counters;
    }

    @Override
    public void init(ProcessorContext<String, byte[]> newContext) {
        KeyValueStore<String, String> store = newContext.getStateStore(CoordinatorTopology.WATCH_STORE);
        context = newContext;
        commits = new Commits(newContext);
        watches = new Watches(store, options::livenessTracker);
        newContext.schedule(options.clocks().tick(), PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    @Override
    public void process(Record<String, Observation> seen) {
        long nowMs = requireNonNull(context).currentSystemTimeMs();
        if (nowMs - seen.timestamp() > BEHIND_MS) {
            behindAtMs = nowMs;
            behindByMs = nowMs - seen.timestamp();
        }
        requireNonNull(watches).observe(new PoolId(seen.key()), seen.value());
    }

    private void tick(long nowMs) {
        boolean behind = behindAtMs != Long.MIN_VALUE && Math.abs(nowMs - behindAtMs) <= BEHIND_MS;
        tellIfBehindForLong(behind, nowMs);
        boolean hears = !behind && logReachable.getAsBoolean();
        requireNonNull(watches).byPool().forEach((pool, watch) -> watch.tick(nowMs, hears)
                .forEach(event -> publish(pool, event, nowMs)));
    }

    private void tellIfBehindForLong(boolean behind, long nowMs) {
        if (!behind) {
            behindSinceMs = Long.MIN_VALUE;
        } else if (behindSinceMs == Long.MIN_VALUE) {
            behindSinceMs = nowMs;
        } else if (nowMs - behindSinceMs >= BEHIND_TOLD_EVERY_MS) {
            behindSinceMs = nowMs;
            counters.count(Counters.SILENCE_IGNORED);
            log.atWarn()
                    .addKeyValue("behindMs", behindByMs)
                    .log(
                            "what workers send is old when it is read, so silent ones are not given up (peers still notice a"
                                    + " death): the coordinator does not keep up, or the broker's clock is behind its own");
        }
    }

    private void publish(PoolId pool, Event event, long nowMs) {
        String id;
        if (event instanceof Event.TimerFired fired) {
            requireNonNull(watches).fired(pool, fired.timer());
            counters.count(Counters.TIMERS_FIRED);
            id = "timer/" + fired.timer() + "/" + nowMs;
        } else if (event instanceof Event.WorkerLost lost) {
            counters.count(Counters.WORKERS_LOST, 1 + lost.others().size());
            id = "lost/" + lost.worker() + "/" + nowMs;
        } else {
            throw new IllegalStateException("time makes TimerFired and WorkerLost only: event=" + event);
        }
        requireNonNull(context)
                .forward(new Record<>(pool.value(), wire.encode(new JournalLine(id, nowMs, event)), nowMs));
        requireNonNull(commits).soon();
    }
}
