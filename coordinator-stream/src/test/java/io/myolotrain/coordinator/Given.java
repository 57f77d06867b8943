package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.HeartbeatIngress;
import io.myolotrain.topics.Ingress;
import java.util.Map;
import java.util.TreeMap;

/** Events as workers and people send them. */
final class Given {
    static final PoolId POOL = new PoolId("pool");
    static final JobId JOB = new JobId("bert-1");

    private Given() {}

    static WorkerRef ref(String id, long incarnation) {
        return new WorkerRef(new WorkerId(id), incarnation);
    }

    static WorkerInfo worker(WorkerRef ref) {
        return new WorkerInfo(ref, POOL, "host-1", "127.0.0.1", 7_001, 0, 8_001, "AVX2", "3.0.0");
    }

    static Event joined(WorkerRef ref) {
        return new Event.WorkerJoined(worker(ref));
    }

    static Event submitted(String attempt, int workers) {
        var config = new TrainingConfig(
                workers,
                8,
                1e-3,
                1e-4,
                TrainingConfig.Schedule.COSINE,
                10,
                1_000,
                0.1,
                0.9,
                0.95,
                1e-8,
                1.0,
                TrainingConfig.Precision.FLOAT32,
                0,
                0,
                1_000_000,
                TrainingConfig.RunState.RUNNING);
        var shape = new ModelShape(ModelShape.Family.GPT, 2, 32, 2, 16, 256, 1, 0.1);
        var spec = new JobSpec(JOB, POOL, attempt, shape, 42, 2, "text", JobSpec.Transport.AUTO, 1, config);
        return new Event.JobSubmitted(spec, "a person");
    }

    static Event change(String key, String value) {
        return new Event.ConfigChangeRequested(JOB, new TreeMap<>(Map.of(key, value)), "a person");
    }

    static Event applied(Plan plan, WorkerRef worker, long firstStep) {
        return new Event.PlanApplied(plan.job(), plan.attempt(), plan.generation(), worker, firstStep, 100, 0);
    }

    /** One rank's part of a committed step of this plan. */
    static Event step(Plan plan, int rank, long step) {
        return step(plan, rank, step, 1_000);
    }

    static Event step(Plan plan, int rank, long step, long stepMicros) {
        Plan.Member member = plan.members().get(rank);
        MicroBatchRange block = member.microBatches();
        long batch = plan.config().globalBatch();
        int microBatch = plan.spec().microBatch();
        return new Event.StepCompleted(
                plan.job(),
                plan.attempt(),
                plan.generation(),
                step,
                new Rank(rank),
                member.worker().ref(),
                block,
                (step - 1) * batch + (long) block.first() * microBatch,
                block.count() * microBatch,
                7,
                1.0 / step,
                1.0,
                1e-3,
                stepMicros);
    }

    static Ingress ingress(String id, Event event, long sentAtMs) {
        return new EventIngress(new Ingress.Header(id, POOL, "test", sentAtMs), event);
    }

    static Ingress heartbeat(String id, WorkerRef ref, long sentAtMs) {
        return new HeartbeatIngress(
                new Ingress.Header(id, POOL, ref.id().value(), sentAtMs),
                new Heartbeat(POOL, ref, 1, java.util.Optional.empty()));
    }
}
