package io.myolotrain.worker.runtime;

import static org.awaitility.Awaitility.await;

import io.myolotrain.core.coordination.Event;
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
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.worker.checkpoint.StateHash;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Plays the coordinator for toy workers: makes plans by hand, waits for what the workers report. */
final class ToyJob {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final int MICRO_BATCHES = 12;

    private final JobSpec spec;
    private final Path checkpoints;
    private long generation;
    private List<ToyWorker> members = List.of();
    private final Set<ToyWorker> everybody = new LinkedHashSet<>();

    ToyJob(String name, Path checkpoints, long maxSteps) {
        this.checkpoints = checkpoints;
        var config = new TrainingConfig(
                1,
                MICRO_BATCHES * 2,
                1e-2,
                1e-4,
                TrainingConfig.Schedule.COSINE,
                10,
                maxSteps,
                0.1,
                0.9,
                0.999,
                1e-8,
                1,
                TrainingConfig.Precision.FLOAT32,
                maxSteps,
                0,
                maxSteps,
                TrainingConfig.RunState.RUNNING);
        spec = new JobSpec(
                new JobId(name),
                new PoolId("pool"),
                "first",
                new ModelShape(ModelShape.Family.GPT, 3, 8, 2, 8, 256, 2, 0),
                7,
                2,
                "toy",
                Transport.SHARED_MEMORY,
                2,
                config);
    }

    /** A newer plan with exactly these members; live members of the one before that are not named hand over. */
    Generation plan(List<ToyWorker> next, List<ToyWorker> lost) {
        List<WorkerInfo> departing = members.stream()
                .filter(worker -> !next.contains(worker) && !lost.contains(worker))
                .map(ToyWorker::info)
                .toList();
        var newer = new Generation(++generation);
        var plan = new Plan(
                spec.job(),
                spec.attempt(),
                newer,
                newer,
                Mesh.dataParallel(next.size()),
                ranks(next),
                departing,
                spec.initialConfig(),
                spec,
                owners(next),
                Transport.SHARED_MEMORY,
                new Plan.CommThresholds(4_096, 1 << 20),
                Optional.empty(),
                "test");
        Stream.concat(members.stream(), next.stream())
                .filter(worker -> !lost.contains(worker))
                .distinct()
                .forEach(worker -> worker.offer(plan));
        members = List.copyOf(next);
        everybody.addAll(next);
        return newer;
    }

    Generation plan(ToyWorker... next) {
        return plan(List.of(next), List.of());
    }

    private static List<Plan.Member> ranks(List<ToyWorker> workers) {
        var ranks = new ArrayList<Plan.Member>();
        int first = 0;
        for (int rank = 0; rank < workers.size(); rank++) {
            int count = MICRO_BATCHES / workers.size() + (rank < MICRO_BATCHES % workers.size() ? 1 : 0);
            ranks.add(new Plan.Member(new Rank(rank), workers.get(rank).info(), new MicroBatchRange(first, count)));
            first += count;
        }
        return ranks;
    }

    private ShardMap owners(List<ToyWorker> workers) {
        var owners = new ArrayList<List<WorkerId>>();
        int shards = ParameterLayout.of(spec.model()).shards().size();
        for (int shard = 0; shard < shards; shard++) {
            WorkerId primary = id(workers, shard);
            WorkerId replica = id(workers, shard + 1);
            owners.add(Stream.of(primary, replica).distinct().toList());
        }
        return new ShardMap(owners);
    }

    private static WorkerId id(List<ToyWorker> workers, int index) {
        return workers.get(index % workers.size()).info().ref().id();
    }

    void awaitApplied(Generation wanted) {
        await().atMost(PATIENCE)
                .until(() -> members.stream().allMatch(worker -> worker.events(Event.PlanApplied.class).stream()
                        .anyMatch(applied -> applied.generation().equals(wanted))));
    }

    void awaitStep(long step) {
        await().atMost(PATIENCE).until(() -> members.get(0).status().committedStep() >= step);
    }

    /** SHA-256 over parameters and moments of the checkpoint at the last step. */
    String awaitFinalHash() throws Exception {
        long last = spec.initialConfig().maxSteps();
        await().atMost(PATIENCE).until(() -> everybody.stream()
                .flatMap(worker -> worker.events(Event.CheckpointWritten.class).stream())
                .anyMatch(written -> written.step() == last));
        return hash(last);
    }

    String hash(long step) {
        return StateHash.of(checkpoints, spec, step);
    }
}
