package io.myolotrain.cli.bench;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.planning.PlanRequest;
import io.myolotrain.core.planning.Planner;
import io.myolotrain.core.planning.Planning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Plans one worker more for a job of 1,000 workers and 65,536 optimizer shards. */
final class PlannerBench implements Bench {
    private static final int WORKERS = 1_000;
    private static final int SHARDS_WANTED = 65_536;
    private static final int WARM_UP_ROUNDS = 5;
    private static final int ROUNDS = 15;
    private static final PoolId POOL = new PoolId("bench");

    private final Planner planner = new Planner();

    @Override
    public String name() {
        return "planner";
    }

    @Override
    public String about() {
        return "a resize of 1,000 workers with 65,536 shards: millis, moves over their lower bound";
    }

    @Override
    public Map<String, Double> run(Consumer<String> progress) {
        JobSpec spec = spec();
        int shards = planner.shards(spec.model());
        progress.accept(String.format(Locale.ROOT, "%,d workers, %,d shards", WORKERS, shards));
        Plan before =
                planned(planner.plan(request(spec, WORKERS, Optional.empty()))).plan();
        PlanRequest oneMore = request(spec, WORKERS + 1, Optional.of(before));
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            planner.plan(oneMore);
        }
        double[] millis = new double[ROUNDS];
        Planning.Planned last = planned(planner.plan(oneMore));
        for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            last = planned(planner.plan(oneMore));
            millis[i] = (System.nanoTime() - start) / 1e6;
            progress.accept(String.format(Locale.ROOT, "round %d of %d: %.0f ms", i + 1, ROUNDS, millis[i]));
        }
        Arrays.sort(millis);
        var figures = new LinkedHashMap<String, Double>();
        figures.put("millis", millis[ROUNDS / 2]);
        figures.put("worstMillis", millis[ROUNDS - 1]);
        figures.put(
                "movedOverLowerBound",
                (double) last.diff().moves().size() / last.diff().lowerBoundMoves());
        figures.put("moves", (double) last.diff().moves().size());
        figures.put("shards", (double) shards);
        figures.put("workers", (double) WORKERS);
        return figures;
    }

    private static Planning.Planned planned(Planning planning) {
        if (planning instanceof Planning.Planned planned) {
            return planned;
        }
        throw new IllegalStateException("the benchmark's request must be possible: " + planning);
    }

    /** A model of at least the wanted number of shards: a shard never crosses a cell, so many thin slices make many. */
    private JobSpec spec() {
        int perLayer = planner.shards(shape(2)) - planner.shards(shape(1));
        int rest = planner.shards(shape(1)) - perLayer;
        int layers = (SHARDS_WANTED - rest + perLayer - 1) / perLayer;
        return new JobSpec(
                new JobId("bench"),
                POOL,
                "bench",
                shape(layers),
                1,
                1,
                "none",
                JobSpec.Transport.GLOO,
                1,
                config(WORKERS));
    }

    private static ModelShape shape(int layers) {
        return new ModelShape(ModelShape.Family.GPT, layers, 64, 64, 128, 256, 64, 0.0);
    }

    private static TrainingConfig config(int workers) {
        return new TrainingConfig(
                workers,
                4_096,
                1e-4,
                1e-5,
                TrainingConfig.Schedule.COSINE,
                100,
                10_000,
                0.1,
                0.9,
                0.95,
                1e-8,
                1,
                TrainingConfig.Precision.FLOAT32,
                0,
                0,
                10_000,
                TrainingConfig.RunState.RUNNING);
    }

    private static PlanRequest request(JobSpec spec, int workers, Optional<Plan> inForce) {
        List<WorkerInfo> usable = new ArrayList<>(workers);
        for (int i = 0; i < workers; i++) {
            var ref = new WorkerRef(new WorkerId(String.format(Locale.ROOT, "worker-%04d", i)), 1);
            usable.add(new WorkerInfo(ref, POOL, "host-" + i / 8, "127.0.0.1", 1, 1, 1, "bench", "bench"));
        }
        List<WorkerInfo> holders =
                inForce.map(plan -> usable.subList(0, plan.worldSize())).orElse(List.of());
        return new PlanRequest(
                spec,
                config(workers),
                new Generation(inForce.isPresent() ? 2 : 1),
                inForce,
                holders,
                usable,
                true,
                inForce.isPresent() ? Optional.empty() : Optional.of(0L),
                "benchmark");
    }
}
