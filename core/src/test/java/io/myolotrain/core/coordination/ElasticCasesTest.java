package io.myolotrain.core.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What elastic trainers get wrong, as far as the coordinator decides it. Each test names its case. */
class ElasticCasesTest {
    private final Pool pool = new Pool();

    private void running(int workers, String... ids) {
        pool.join(ids);
        pool.submit(workers, 1_000);
        pool.applied();
    }

    private static String[] ids(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> String.format("w%02d", i))
                .toArray(String[]::new);
    }

    private static List<Integer> accumulation(Plan plan) {
        return plan.members().stream().map(m -> m.microBatches().count()).toList();
    }

    private static List<Plan> plans(List<Fact> facts) {
        return facts.stream()
                .filter(Fact.PlanIssued.class::isInstance)
                .map(fact -> ((Fact.PlanIssued) fact).plan())
                .toList();
    }

    private int activations() {
        return (int) pool.decisions.stream()
                .flatMap(d -> d.facts().stream())
                .filter(Fact.PlanActivated.class::isInstance)
                .count();
    }

    @Test
    @DisplayName("D01 With 3 instead of 4 workers a step has its 16 samples still, and the plan says why it is so")
    void aGlobalBatchStaysWhatItIsOnAnyNumberOfWorkers() {
        running(4, "w1", "w2", "w3", "w4");
        pool.change("batch", "16");
        pool.applied();
        assertThat(accumulation(pool.active())).containsExactly(1, 1, 1, 1);

        pool.failed(pool.active(), "w1", "w4");
        assertThat(accumulation(pool.pending())).containsExactly(2, 1, 1);
        assertThat(pool.pending().config().globalBatch()).isEqualTo(16);
        assertThat(pool.pending().reason()).contains("a collective of generation 2 failed");
        pool.applied();
        for (int step = 1; step <= 10; step++) {
            pool.step(pool.active(), step);
        }
        assertThat(pool.job().samples()).isEqualTo(160);

        pool.join("w5");
        assertThat(accumulation(pool.pending())).containsExactly(1, 1, 1, 1);
        assertThat(pool.pending().reason()).isEqualTo("worker w5#1 joined");
        pool.applied();
        pool.step(pool.active(), 11);
        assertThat(pool.job().samples()).isEqualTo(176);
    }

    @Test
    @DisplayName("D02 A batch that admits no legal plan is refused with its numbers before anything stops")
    void settingsWithoutALegalPlanAreRefusedWhileTheJobTrains() {
        running(2, "w1", "w2", "w3");
        pool.change("batch", "8"); // two micro-batches of four
        pool.applied();
        JobState before = pool.job();

        assertThat(pool.change("workers", "3")).singleElement().isInstanceOfSatisfying(Fact.Refused.class, refused -> {
            assertThat(refused.refusals().get(0).value()).contains("workers=3", "batch=8", "micro-batch=4");
            assertThat(refused.refusals().get(0).nextStep()).contains("workers=1 or 2");
        });
        assertThat(pool.change("batch", "7")).singleElement().isInstanceOfSatisfying(Fact.Refused.class, refused -> {
            assertThat(refused.refusals().get(0).value()).contains("batch=7", "micro-batch=4");
        });
        assertThat(pool.job()).isSameAs(before);
        assertThat(accumulation(before.active().orElseThrow())).containsExactly(1, 1);

        pool.change("workers", "1");
        assertThat(accumulation(pool.pending())).containsExactly(2);
        assertThat(pool.pending().config().globalBatch()).isEqualTo(8);
    }

    @Test
    @DisplayName("D02 A job that is submitted before there is any worker waits and says for what")
    void anUnknownWorldSizeIsNoDivisionByZero() {
        List<Fact> facts = pool.submit(2, 100);
        assertThat(facts).noneMatch(Fact.PlanIssued.class::isInstance);
        assertThat(pool.job().phase()).isEqualTo(JobPhase.WAITING);
        List<Fact> none = pool.change("workers", "0");
        assertThat(none).singleElement().isInstanceOf(Fact.Refused.class);
    }

    @Test
    @DisplayName("D04 When the node of rank 0 dies the others go on, and it joins again without a restart of the job")
    void rankZeroIsAWorkerLikeAnyOther() {
        running(2, "w1", "w2");
        pool.step(pool.active(), 50);
        pool.failed(pool.active(), "w2", "w1");
        assertThat(pool.members(pool.pending())).containsExactly("w2");
        assertThat(pool.pending().resumeStep())
                .as("its replicas hold all shards")
                .isEmpty();
        pool.applied();
        pool.step(pool.active(), 51);

        pool.on(new Event.WorkerJoined(Pool.worker(Pool.ref("w1", 2), "host")));
        assertThat(pool.members(pool.pending())).containsExactly("w2", "w1");
        pool.applied();
        assertThat(pool.job().committedStep()).isEqualTo(51);
    }

    @Test
    @DisplayName("D04 A node that leaves early and normally tears nobody down")
    void aNormalEndOfOneIsNoEndOfTheOthers() {
        running(2, "w1", "w2");
        pool.step(pool.active(), 1);
        pool.on(new Event.WorkerDraining(Pool.ref("w1"), "done here"));
        pool.applied(pool.pending(), Pool.ref("w2"));
        pool.on(new Event.WorkerLeft(Pool.ref("w1"), "drained"));
        assertThat(pool.job().phase()).isEqualTo(JobPhase.RUNNING);
        pool.checkpoint(pool.active().generation(), 1);
        assertThat(pool.job().lastCheckpoint().map(Checkpoint::step)).contains(1L);
    }

    @Test
    @DisplayName(
            "D07 Below the wanted number the old member trains on; old and new meet in one plan, the old as source")
    void aLeaveAndAJoinEndInOnePlanForBothSides() {
        running(2, "w1", "w2");
        pool.step(pool.active(), 1);
        pool.on(new Event.WorkerDraining(Pool.ref("w2"), "maintenance"));
        pool.applied(pool.pending(), Pool.ref("w1"));
        pool.on(new Event.WorkerLeft(Pool.ref("w2"), "drained"));
        assertThat(pool.members(pool.active())).containsExactly("w1");

        List<Fact> facts = pool.join("w3");
        assertThat(plans(facts)).hasSize(1);
        Plan both = pool.pending();
        assertThat(pool.members(both)).containsExactly("w1", "w3");
        assertThat(both.resumeStep()).as("w1 is the source of the state").isEmpty();
        assertThat(both.group()).as("both connect anew").isEqualTo(both.generation());
        pool.applied();
        pool.step(pool.active(), 2);
        assertThat(pool.job().committedStep()).isEqualTo(2);
    }

    @Test
    @DisplayName("D07 A leave that becomes a join before its plan is adopted is the plan of the join")
    void aRemovalThatBecomesAnAdditionIsNotSkipped() {
        running(2, "w1", "w2");
        pool.on(new Event.WorkerDraining(Pool.ref("w2"), "maintenance"));
        Plan removal = pool.pending();
        pool.join("w3");
        assertThat(pool.pending()).as("what is being adopted is adopted first").isSameAs(removal);
        pool.applied(removal, Pool.ref("w1"));
        assertThat(pool.members(pool.pending())).containsExactly("w1", "w3");
    }

    @Test
    @DisplayName("D10 A worker joins while the source of its state dies, then it dies itself: one number per change")
    void aJoinIsSourcedAnewWhenItsSourceDies() {
        running(3, "w1", "w2", "w3");
        pool.step(pool.active(), 40);
        pool.join("w4");
        pool.change("workers", "4");
        Plan joining = pool.pending();
        assertThat(pool.members(joining)).containsExactly("w1", "w2", "w3", "w4");

        List<Fact> sourceDied = pool.failed(pool.active(), "w2", "w1");
        assertThat(sourceDied)
                .anyMatch(fact ->
                        fact instanceof Fact.PlanWithdrawn w && w.generation().equals(joining.generation()));
        Plan survivors = pool.pending();
        assertThat(pool.members(survivors))
                .as("those who stand still go on first")
                .containsExactly("w2", "w3");
        pool.applied();
        Plan again = pool.pending();
        assertThat(pool.members(again)).as("sourced by the others now").containsExactly("w2", "w3", "w4");

        List<Fact> joinerDied = pool.on(new Event.WorkerLost(Pool.ref("w4"), 6_000));
        assertThat(joinerDied)
                .anyMatch(fact ->
                        fact instanceof Fact.PlanWithdrawn w && w.generation().equals(again.generation()));
        assertThat(plans(joinerDied)).hasSizeLessThanOrEqualTo(1);
        if (pool.job().pending().isPresent()) {
            assertThat(pool.members(pool.pending())).containsExactly("w2", "w3");
            assertThat(pool.pending().generation()).isEqualTo(again.generation().next());
            pool.applied();
        }
        assertThat(pool.members(pool.active())).containsExactly("w2", "w3");
        assertThat(List.of(joining, survivors, again))
                .extracting(p -> p.generation().value())
                .containsExactly(2L, 3L, 4L);
        assertThat(pool.job().committedStep()).isEqualTo(40);
    }

    @Test
    @DisplayName(
            "D17 A checkpoint of 4 workers resumes on 2, 3, 6 and 8: every shard has its owners, nothing is left out")
    void aResumePlacesEveryShardOnAnyWorldSize() {
        for (int workers : new int[] {2, 3, 6, 8}) {
            var other = new Pool();
            other.join(ids(4));
            other.submit(4, 1_000);
            other.applied();
            Plan old = other.active();
            other.step(old, 100);
            other.checkpoint(old.generation(), 100);
            other.on(new Event.WorkerLost(
                    old.members().get(0).worker().ref(),
                    6_000,
                    old.members().stream().map(m -> m.worker().ref()).toList()));
            other.change("batch", "32", "lr", "0.002");
            for (int i = 1; i <= workers; i++) {
                other.on(new Event.WorkerJoined(Pool.worker(Pool.ref(String.format("w%02d", i), 2), "host")));
            }
            other.change("workers", Integer.toString(workers));
            while (other.job().pending().isPresent()) {
                other.applied();
            }
            Plan plan = other.active();
            assertThat(plan.members()).hasSize(workers);
            assertThat(plan.shardMap().shards()).isEqualTo(old.shardMap().shards());
            assertThat(plan.shardMap().owners())
                    .allSatisfy(owners -> assertThat(owners).hasSize(2).doesNotHaveDuplicates());
            assertThat(other.job().committedStep()).isEqualTo(100);
        }
    }

    @Test
    @DisplayName("D18 All start at one step, the coordinator's: the newest checkpoint that was reported, else the seed")
    void theStepToStartFromIsPartOfThePlan() {
        running(2, "w1", "w2");
        pool.step(pool.active(), 12);
        pool.checkpoint(pool.active().generation(), 10);
        pool.on(new Event.WorkerLost(Pool.ref("w1"), 6_000, List.of(Pool.ref("w2"))));
        pool.join("w3", "w4");
        assertThat(pool.pending().resumeStep()).contains(10L);
        assertThat(pool.pending().reason()).endsWith("from the checkpoint of step 10");
        // What the members can reach decides: they came to an agreement on the seed.
        pool.on(new Event.PlanApplied(Pool.JOB, Pool.ATTEMPT, pool.pending().generation(), Pool.ref("w3"), 1, 0, 0));
        assertThat(pool.job().committedStep()).isZero();
        assertThat(pool.job().samples()).isZero();
        assertThat(pool.job().checkpoints())
                .as("what nobody can reach is no checkpoint")
                .isEmpty();
    }

    @Test
    @DisplayName("D22 8, 16 and 8 workers: one world size per generation, wherever it stands")
    void everyPlaceOfAPlanNamesTheSameWorldSize() {
        pool.join(ids(16));
        JobSpec spec = Pool.spec(Pool.JOB, Pool.ATTEMPT, 8, 1_000);
        pool.on(new Event.JobSubmitted(spec, "alice"));
        pool.change("batch", "64");
        while (pool.job().pending().isPresent()) {
            pool.applied();
        }
        for (int size : new int[] {8, 16, 8}) {
            if (pool.job().desired().workers() != size) {
                pool.change("workers", Integer.toString(size));
                pool.applied();
            }
            Plan plan = pool.active();
            assertThat(plan.worldSize()).isEqualTo(size);
            assertThat(plan.mesh().worldSize()).isEqualTo(size);
            assertThat(plan.config().workers()).isEqualTo(size);
            assertThat(plan.ranks()).hasSize(size);
            assertThat(accumulation(plan).stream().mapToInt(Integer::intValue).sum())
                    .isEqualTo(16);
            assertThat(plan.shardMap().owners().stream()
                            .flatMap(List::stream)
                            .distinct()
                            .count())
                    .isEqualTo(size);
        }
    }

    @Test
    @DisplayName("D23 30 of 32 fall silent at once: one change of the membership and one plan")
    void aBurstIsOneChange() {
        running(8, ids(32)); // eight train, 24 stand by
        pool.change("batch", "128");
        pool.applied();
        pool.change("workers", "32");
        pool.applied();
        assertThat(pool.active().worldSize()).isEqualTo(32);
        int before = activations();
        List<WorkerRef> dead = pool.active().members().stream()
                .skip(2)
                .map(m -> m.worker().ref())
                .toList();

        List<Fact> facts = pool.on(new Event.WorkerLost(dead.get(0), 6_000, dead.subList(1, dead.size())));
        assertThat(facts.stream().filter(Fact.WorkerRemoved.class::isInstance)).hasSize(30);
        assertThat(plans(facts)).singleElement().satisfies(plan -> {
            assertThat(plan.worldSize()).isEqualTo(2);
            assertThat(plan.reason())
                    .startsWith("30 workers silent for 6000 ms; ")
                    .contains("shards have no living owner (");
        });
        pool.applied();
        assertThat(activations() - before).isEqualTo(1);

        var back = new ArrayList<Fact>();
        dead.forEach(ref -> back.addAll(
                pool.on(new Event.WorkerJoined(Pool.worker(new WorkerRef(ref.id(), ref.incarnation() + 1), "host")))));
        pool.applied();
        pool.applied();
        assertThat(pool.active().worldSize()).isEqualTo(32);
        assertThat(plans(back))
                .as("who comes while a plan is adopted comes with the next")
                .hasSize(1);
    }

    @Test
    @DisplayName(
            "D23 10 of 32 die and the survivors' reports differ: removed as they are named, one plan comes into force")
    void reportsThatDifferEndInOneActivation() {
        running(8, ids(32));
        pool.change("batch", "128");
        pool.applied();
        pool.change("workers", "32");
        pool.applied();
        int before = activations();
        Plan plan = pool.active();
        List<String> dead = plan.members().stream()
                .skip(22)
                .map(m -> m.worker().ref().id().value())
                .toList();
        int issued = 0;
        for (int i = 0; i < 22; i++) {
            Member survivor = plan.members().get(i);
            issued += plans(pool.failed(
                            plan,
                            survivor.worker().ref().id().value(),
                            dead.subList(0, Math.min(10, 1 + 4 * i)).toArray(String[]::new)))
                    .size();
        }
        pool.applied();
        assertThat(activations() - before).isEqualTo(1);
        assertThat(issued).as("reports that name nobody new change nothing").isEqualTo(4);
        assertThat(pool.active().worldSize()).isEqualTo(22);
    }

    @Test
    @DisplayName("D23 All die: the job waits, says for how many, and resumes when enough are back")
    void aJobWithoutWorkersSaysWhatItWaitsFor() {
        running(3, "w1", "w2", "w3");
        pool.step(pool.active(), 7);
        pool.checkpoint(pool.active().generation(), 5);
        List<Fact> facts =
                pool.on(new Event.WorkerLost(Pool.ref("w1"), 6_000, List.of(Pool.ref("w2"), Pool.ref("w3"))));
        assertThat(facts)
                .filteredOn(Fact.PhaseChanged.class::isInstance)
                .singleElement()
                .satisfies(fact -> {
                    var changed = (Fact.PhaseChanged) fact;
                    assertThat(changed.to()).isEqualTo(JobPhase.WAITING);
                    assertThat(changed.reason())
                            .isEqualTo("3 workers silent for 6000 ms; a job starts with as many workers as it wants:"
                                    + " workers=3 available=0; start 3 more, or ask for fewer");
                });
        pool.join("w4", "w5");
        assertThat(pool.job().pending()).isEmpty();
        pool.join("w6");
        assertThat(pool.pending().resumeStep()).isEqualTo(Optional.of(5L));
        assertThat(pool.pending().config().runState()).isEqualTo(TrainingConfig.RunState.RUNNING);
    }
}
