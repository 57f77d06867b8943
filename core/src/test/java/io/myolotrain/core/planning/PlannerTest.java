package io.myolotrain.core.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.Seeds;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.Precision;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.TrainingConfig.Schedule;
import io.myolotrain.core.model.WorkerInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlannerTest {
    private final Planner planner = new Planner();

    private static TrainingConfig config(int workers, int batch) {
        return new TrainingConfig(
                workers,
                batch,
                1e-3,
                0,
                Schedule.CONSTANT,
                0,
                100,
                0.1,
                0.9,
                0.95,
                1e-8,
                1,
                Precision.FLOAT32,
                5,
                0,
                100,
                RunState.RUNNING);
    }

    private static JobSpec spec(Transport transport) {
        return new JobSpec(
                new JobId("job"),
                new PoolId("pool"),
                "attempt",
                new ModelShape(ModelShape.Family.GPT, 4, 128, 4, 128, 256, 2, 0),
                1,
                4,
                "data",
                transport,
                2,
                config(2, 32));
    }

    private static PlanRequest start(int workers, int batch, List<WorkerInfo> usable) {
        return new PlanRequest(
                spec(Transport.AUTO),
                config(workers, batch),
                new Generation(1),
                Optional.empty(),
                List.of(),
                usable,
                true,
                Optional.of(0L),
                "start");
    }

    private static PlanRequest change(
            Plan before, int workers, int batch, List<WorkerInfo> usable, Transport transport) {
        List<WorkerInfo> holders = before.members().stream().map(Member::worker).toList();
        return new PlanRequest(
                spec(transport),
                config(workers, batch),
                before.generation().next(),
                Optional.of(before),
                holders,
                usable,
                true,
                Optional.empty(),
                "change");
    }

    private Plan planned(PlanRequest request) {
        return ((Planning.Planned) planner.plan(request)).plan();
    }

    private static List<Integer> blockSizes(Plan plan) {
        return plan.members().stream().map(m -> m.microBatches().count()).toList();
    }

    private static List<String> names(Plan plan) {
        return plan.members().stream().map(m -> m.worker().ref().id().value()).toList();
    }

    @Test
    void theFirstRanksTakeTheLargerBlocks() {
        List<WorkerInfo> pool = ShardPlacementTest.workers(3, 1);
        Plan plan = planned(start(3, 32, pool));
        assertThat(blockSizes(plan)).containsExactly(3, 3, 2);
        assertThat(plan.members().get(2).microBatches()).isEqualTo(new MicroBatchRange(6, 2));
    }

    @Test
    void membersKeepTheirOrderAndNewOnesComeFromTheirHost() {
        List<WorkerInfo> pool = ShardPlacementTest.workers(8, 2); // even ids on host-0, odd ones on host-1
        Plan plan = planned(start(2, 32, List.of(pool.get(5), pool.get(3))));
        assertThat(names(plan)).containsExactly("w0003", "w0005");
        Plan grown = planned(change(plan, 5, 32, pool, Transport.AUTO));
        assertThat(names(grown)).containsExactly("w0003", "w0005", "w0001", "w0007", "w0000");
        assertThat(grown.transport()).isEqualTo(Transport.GLOO);
        Plan shrunk = planned(change(grown, 3, 32, pool, Transport.AUTO));
        assertThat(names(shrunk)).containsExactly("w0003", "w0005", "w0001");
        assertThat(shrunk.departing()).containsExactly(pool.get(7), pool.get(0));
        assertThat(shrunk.transport())
                .as("a departing worker on another host still has to be reached")
                .isEqualTo(Transport.GLOO);
    }

    @Test
    void sharedMemoryByRequestStaysOnOneHost() {
        List<WorkerInfo> pool = ShardPlacementTest.workers(8, 2);
        Plan plan = planned(start(2, 32, List.of(pool.get(0), pool.get(2))));
        Plan grown = planned(change(plan, 5, 32, pool, Transport.SHARED_MEMORY));
        assertThat(names(grown)).containsExactly("w0000", "w0002", "w0004", "w0006");
    }

    @Test
    void aJobStartsWithAllItsWorkersOrNotAtAll() {
        Planning planning = planner.plan(start(3, 32, ShardPlacementTest.workers(2, 1)));
        assertThat(planning).isInstanceOfSatisfying(Planning.Refused.class, refused -> assertThat(
                        refused.refusal().value())
                .isEqualTo("workers=3 available=2"));
    }

    /** Any sequence of changes gives sound plans that move the lower bound. */
    @Test
    void randomChangesGiveSoundPlans() {
        for (long seed : Seeds.of(60).toArray()) {
            var random = new Random(seed);
            List<WorkerInfo> pool = ShardPlacementTest.workers(10, 3);
            Plan plan = planned(start(1 + random.nextInt(8), 32, pool));
            for (int i = 0; i < 20; i++) {
                var usable = new ArrayList<>(pool);
                Collections.shuffle(usable, random);
                usable.subList(0, random.nextInt(9)).clear();
                int batch = 4 * (8 + random.nextInt(30));
                PlanRequest request = change(plan, 1 + random.nextInt(8), batch, usable, Transport.AUTO);
                var planned = (Planning.Planned) planner.plan(request);
                String run = "seed=" + seed + " change=" + i + " request=" + request;
                assertThat(PlanValidator.violations(
                                planned.plan(),
                                planned.diff(),
                                planner.shards(plan.spec().model())))
                        .as(run)
                        .isEmpty();
                assertThat(planner.plan(request)).as(run).isEqualTo(planned);
                plan = planned.plan();
            }
        }
    }

    @Test
    void theValidatorNamesWhatIsWrong() {
        List<WorkerInfo> pool = ShardPlacementTest.workers(3, 1);
        Plan plan = planned(start(2, 32, pool));
        int shards = planner.shards(plan.spec().model());
        Plan twice = with(plan, List.of(plan.members().get(0), plan.members().get(0)));
        assertThat(PlanValidator.violations(twice, PlanDiff.NOTHING, shards))
                .contains(
                        "members stand by rank without gaps: position=1 rank=0",
                        "a worker has one part in a plan: worker=w0000#1")
                .anyMatch(v -> v.startsWith("each micro-batch runs on exactly one rank"))
                .anyMatch(v -> v.startsWith("a shard has exactly min(r, n) distinct owners among the members"));
        Plan oneRank = with(plan, List.of(plan.members().get(0)));
        assertThat(PlanValidator.violations(oneRank, PlanDiff.NOTHING, shards))
                .contains("dp × tp × pp must equal the worker count: dp=2 tp=1 pp=1 workers=1");
        assertThat(PlanValidator.violations(plan, new PlanDiff(List.of(), 0, 3), shards))
                .containsExactly("a placement moves as few shards as any balanced one: moved=0 lower bound=3");
        assertThat(PlanValidator.violations(plan, PlanDiff.NOTHING, shards + 1)).hasSize(1);
    }

    private static Plan with(Plan plan, List<Member> members) {
        return new Plan(
                plan.job(),
                plan.attempt(),
                plan.generation(),
                plan.group(),
                plan.mesh(),
                members,
                plan.departing(),
                plan.config(),
                plan.spec(),
                plan.shardMap(),
                plan.transport(),
                plan.comm(),
                plan.resumeStep(),
                plan.reason());
    }
}
