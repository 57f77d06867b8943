package io.myolotrain.cli.client;

import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Mesh;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.List;
import java.util.Optional;

/** The smallest job and plan that make sense. */
final class DecisionFixtures {
    private static final PoolId POOL = new PoolId("default");

    private DecisionFixtures() {}

    static TrainingConfig config() {
        return new TrainingConfig(
                1,
                4,
                1e-3,
                1e-4,
                TrainingConfig.Schedule.CONSTANT,
                0,
                10,
                0,
                0.9,
                0.95,
                1e-8,
                1,
                TrainingConfig.Precision.FLOAT32,
                0,
                0,
                10,
                TrainingConfig.RunState.RUNNING);
    }

    static Fact planIssued(JobId job, long generation) {
        var shape = new ModelShape(ModelShape.Family.GPT, 1, 8, 1, 8, 256, 1, 0);
        var spec = new JobSpec(job, POOL, "attempt", shape, 1, 4, "text", JobSpec.Transport.AUTO, 1, config());
        var worker = new WorkerInfo(
                new WorkerRef(new WorkerId("worker-0"), 1), POOL, "host", "127.0.0.1", 1, 0, 0, "kernel", "release");
        var plan = new Plan(
                job,
                "attempt",
                new Generation(generation),
                new Generation(generation),
                Mesh.dataParallel(1),
                List.of(new Plan.Member(new Rank(0), worker, new MicroBatchRange(0, 1))),
                List.of(),
                config(),
                spec,
                ShardMap.EMPTY,
                JobSpec.Transport.SHARED_MEMORY,
                new Plan.CommThresholds(4_096, 1 << 20),
                Optional.empty(),
                "asked for");
        return new Fact.PlanIssued(plan, 0, 0);
    }
}
