package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.JobSpec.Transport;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Small plans for tests: a tiny GPT, one micro-batch per member. */
final class Plans {
    private Plans() {}

    static WorkerRef ref(String id) {
        return new WorkerRef(new WorkerId(id), 1);
    }

    static WorkerInfo info(WorkerRef ref) {
        return new WorkerInfo(ref, new PoolId("pool"), "host", "127.0.0.1", 1, 0, 0, "test", "test");
    }

    static Plan plan(String job, String attempt, long generation, List<WorkerRef> workers) {
        var config = new TrainingConfig(
                workers.size(),
                workers.size(),
                1e-3,
                0,
                TrainingConfig.Schedule.CONSTANT,
                0,
                0,
                0,
                0.9,
                0.999,
                1e-8,
                1,
                TrainingConfig.Precision.FLOAT32,
                0,
                0,
                100,
                TrainingConfig.RunState.RUNNING);
        var spec = new JobSpec(
                new JobId(job),
                new PoolId("pool"),
                attempt,
                new ModelShape(ModelShape.Family.GPT, 1, 8, 1, 8, 256, 1, 0),
                1,
                1,
                "data",
                Transport.SHARED_MEMORY,
                1,
                config);
        var members = new ArrayList<Plan.Member>();
        for (int rank = 0; rank < workers.size(); rank++) {
            members.add(new Plan.Member(new Rank(rank), info(workers.get(rank)), new MicroBatchRange(rank, 1)));
        }
        return new Plan(
                spec.job(),
                attempt,
                new Generation(generation),
                new Generation(generation),
                Mesh.dataParallel(workers.size()),
                members,
                List.of(),
                config,
                spec,
                ShardMap.EMPTY,
                Transport.SHARED_MEMORY,
                new Plan.CommThresholds(4_096, 1 << 20),
                Optional.empty(),
                "test");
    }
}
