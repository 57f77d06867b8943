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

/** Turns time into events: {@code WorkerLost} after silence, {@code TimerFired} at the coordinator's deadlines. */
final class Timekeeper implements Processor<String, Observation, String, byte[]> {
    private final Wire wire;
    private final CoordinatorOptions options;
    private final BooleanSupplier logReachable;
    private final Counters counters;
    private @Nullable ProcessorContext<String, byte[]> context;
    private @Nullable Watches watches;

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
        watches = new Watches(store, options::livenessTracker);
        newContext.schedule(options.clocks().tick(), PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    @Override
    public void process(Record<String, Observation> seen) {
        requireNonNull(watches).observe(new PoolId(seen.key()), seen.value());
    }

    private void tick(long nowMs) {
        boolean reachable = logReachable.getAsBoolean();
        requireNonNull(watches).byPool().forEach((pool, watch) -> watch.tick(nowMs, reachable)
                .forEach(event -> publish(pool, event, nowMs)));
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
        requireNonNull(context).commit();
    }
}
