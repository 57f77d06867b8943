package io.myolotrain.cli.bench;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.HeartbeatIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.TopicWriter;
import io.myolotrain.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Workers that say what real ones say and compute nothing: the coordinator cannot tell the difference. */
final class StandInWorkers implements AutoCloseable {
    private static final long HEARTBEAT_MS = 500;

    private final PoolId pool;
    private final List<WorkerInfo> workers = new ArrayList<>();
    private final Producers producers;
    private final TopicWriter<Ingress> workerEvents;
    private final TopicWriter<Ingress> configChanges;
    private final TopicWriter<Ingress> progress;
    private final ScheduledExecutorService heartbeats = Executors.newSingleThreadScheduledExecutor();
    private long beat; // by the heartbeat thread

    StandInWorkers(Connection connection, Codecs codecs, PoolId pool, int count) {
        this.pool = pool;
        producers = Producers.open(connection, codecs, "stand-in-workers", Map.of("linger.ms", 0));
        workerEvents = producers.writer(Topics.WORKER_EVENTS);
        configChanges = producers.writer(Topics.CONFIG_CHANGES);
        progress = producers.writer(Topics.STEP_COMPLETIONS);
        for (int i = 0; i < count; i++) {
            var ref = new WorkerRef(new WorkerId("stand-in-" + i), 1);
            workers.add(new WorkerInfo(ref, pool, "host", "127.0.0.1", 1, 1, 1, "none", "bench"));
        }
    }

    void join() {
        workers.forEach(worker -> workerEvents.sendAndWait(pool.value(), ingress(new Event.WorkerJoined(worker))));
        var unused = heartbeats.scheduleAtFixedRate(this::beat, 0, HEARTBEAT_MS, TimeUnit.MILLISECONDS);
    }

    private void beat() {
        beat++;
        for (WorkerInfo worker : workers) {
            var heartbeat = new Heartbeat(pool, worker.ref(), beat, Optional.empty());
            workerEvents.send(pool.value(), new HeartbeatIngress(header(), heartbeat));
        }
    }

    /** Every member runs under the plan, from the first step on. */
    void apply(Plan plan) {
        for (Plan.Member member : plan.members()) {
            progress.send(
                    pool.value(),
                    ingress(new Event.PlanApplied(
                            plan.job(),
                            plan.attempt(),
                            plan.generation(),
                            member.worker().ref(),
                            1,
                            0,
                            0)));
        }
    }

    void ask(Event request) {
        configChanges.send(pool.value(), ingress(request));
    }

    private Ingress ingress(Event event) {
        return new EventIngress(header(), event);
    }

    private Ingress.Header header() {
        return new Ingress.Header(UUID.randomUUID().toString(), pool, "bench", System.currentTimeMillis());
    }

    @Override
    public void close() {
        heartbeats.shutdownNow();
        producers.close();
    }
}
