package io.myolotrain.cli.elastic;

import static io.myolotrain.cli.elastic.TestJob.GLOBAL_BATCH;
import static io.myolotrain.cli.elastic.TestJob.STEPS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.core.audit.ReplayAudit;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.encoding.CanonicalCodec;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.WorkerRef;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise, on real parts: broker, registry, coordinator and four worker processes. One pool serves all scenarios, one
 * after the other; the undisturbed run comes first.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ElasticTrainingIT {
    @TempDir
    static Path directory;

    private static TestPool pool;
    private static Path corpus;
    private static String undisturbed;

    @BeforeAll
    static void startPool() throws Exception {
        corpus = TestJob.corpus(directory);
        pool = new TestPool(directory, 4);
        JobSpec alone = submit("alone", 1);
        pool.awaitPhase(alone.job(), JobPhase.COMPLETED);
        undisturbed = pool.finalHash(alone);
    }

    @AfterAll
    static void stopPool() throws Exception {
        if (pool != null) {
            pool.close();
        }
    }

    private static JobSpec submit(String name, int workers) {
        JobSpec spec = TestJob.spec(name, pool.pool(), workers, corpus);
        pool.submitWhenIdle(spec, workers);
        return spec;
    }

    @Test
    @Order(1)
    void fourWorkersComputeTheSameBitsAsOne() throws Exception {
        JobSpec spec = submit("four", 4);
        pool.awaitPhase(spec.job(), JobPhase.COMPLETED);
        assertThat(pool.finalHash(spec)).isEqualTo(undisturbed);
        pool.assertEverySampleIsConsumedExactlyOnce(spec.job(), STEPS * GLOBAL_BATCH);
    }

    @Test
    @Order(2)
    void resizesAtRandomStepsChangeNoBitAndLoseNoSample() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("resizes at random steps: seed=" + seed);
        var random = new Random(seed);
        JobSpec spec = submit("resized", 1);
        long step = 2;
        for (String workers : new String[] {"4", "3", "2", "4"}) {
            step += 2 + random.nextInt(6);
            pool.awaitStep(spec.job(), step);
            Fact.PlanActivated active = pool.apply(spec.job(), Map.of("workers", workers));
            System.out.println("workers=" + workers + " from step " + active.firstStep());
            assertThat(active.firstStep()).isLessThanOrEqualTo(STEPS);
            step = active.firstStep();
        }
        pool.awaitPhase(spec.job(), JobPhase.COMPLETED);
        assertThat(pool.finalHash(spec)).isEqualTo(undisturbed);
        pool.assertEverySampleIsConsumedExactlyOnce(spec.job(), STEPS * GLOBAL_BATCH);
    }

    /** Case D20: step, optimizer, learning rate, data position and random state come back together, or bits would differ. */
    @Test
    @Order(3)
    void aStoppedJobGoesOnFromItsCheckpointWithAnotherNumberOfWorkers() throws Exception {
        JobSpec spec = submit("stopped", 2);
        pool.awaitStep(spec.job(), 10);
        pool.change(spec.job(), Map.of("state", "stopped"));
        pool.awaitPhase(spec.job(), JobPhase.STOPPED);
        pool.apply(spec.job(), Map.of("state", "running", "workers", "3"));
        pool.awaitPhase(spec.job(), JobPhase.COMPLETED);
        assertThat(pool.finalHash(spec)).isEqualTo(undisturbed);
        pool.assertEverySampleIsConsumedExactlyOnce(spec.job(), STEPS * GLOBAL_BATCH);
    }

    @Test
    @Order(4)
    void anIllegalChangeIsRefusedWithItsReasonsAndTheJobTrainsOn() throws Exception {
        JobSpec spec = TestJob.spec("refusing", pool.pool(), 2, corpus, 1_000_000);
        pool.publish(new Event.JobSubmitted(spec, "test"));
        pool.awaitStep(spec.job(), 2);
        for (Map<String, String> illegal : List.of(
                Map.of("wrokers", "2"),
                Map.of("workers", "0"),
                Map.of("workers", "9"),
                Map.of("batch", "31"),
                Map.of("lr", "fast"),
                Map.of("precision", "float8"))) {
            Decision decision = pool.awaitDecision(pool.change(spec.job(), illegal));
            assertThat(decision.facts()).as("%s", illegal).hasSize(1);
            assertThat(decision.facts().get(0))
                    .isInstanceOfSatisfying(Fact.Refused.class, refused -> assertThat(refused.refusals())
                            .isNotEmpty()
                            .allSatisfy(refusal -> {
                                assertThat(refusal.rule()).isNotBlank();
                                assertThat(refusal.value()).isNotBlank();
                                assertThat(refusal.nextStep()).isNotBlank();
                            }));
        }
        Decision unknown = pool.awaitDecision(pool.change(new JobId("no-such-job"), Map.of("workers", "2")));
        assertThat(unknown.facts().get(0)).isInstanceOf(Fact.Refused.class);
        pool.awaitStep(spec.job(), pool.job(spec.job()).committedStep() + 5);
        assertThat(pool.job(spec.job()).active().orElseThrow().worldSize()).isEqualTo(2);
        pool.change(spec.job(), Map.of("state", "stopped"));
        pool.awaitPhase(spec.job(), JobPhase.STOPPED);
    }

    @Test
    @Order(5)
    void aDrainedWorkerHandsOverAndAStandbyTakesItsPlace() throws Exception {
        JobSpec spec = submit("drained", 3);
        pool.awaitStep(spec.job(), 5);
        WorkerRef leaving = pool.job(spec.job())
                .active()
                .orElseThrow()
                .members()
                .get(0)
                .worker()
                .ref();
        pool.publish(new Event.WorkerDraining(leaving, "maintenance"));
        pool.awaitState("a plan of three without " + leaving, state -> state.job(spec.job())
                .flatMap(job -> job.active())
                .filter(plan -> plan.worldSize() == 3 && plan.member(leaving).isEmpty())
                .isPresent());
        pool.awaitPhase(spec.job(), JobPhase.COMPLETED);
        assertThat(pool.finalHash(spec)).isEqualTo(undisturbed);
        assertThat(pool.job(spec.job()).counts().failures()).isZero();
        pool.assertEverySampleIsConsumedExactlyOnce(spec.job(), STEPS * GLOBAL_BATCH);
        pool.fleet().kill(List.of(leaving.id().value()));
        pool.awaitState(leaving + " is gone", state -> !state.isLive(leaving));
        pool.fleet().start(leaving.id().value());
        pool.awaitState("four workers again", state -> state.workers().size() == 4);
    }

    @Test
    @Order(6)
    void aKilledWorkerCostsNoBit() throws Exception {
        JobSpec spec = submit("killed", 3);
        pool.awaitStep(spec.job(), 10);
        String victim = pool.job(spec.job())
                .active()
                .orElseThrow()
                .members()
                .get(1)
                .worker()
                .ref()
                .id()
                .value();
        pool.fleet().kill(List.of(victim));
        pool.awaitPhase(spec.job(), JobPhase.COMPLETED);
        assertThat(pool.finalHash(spec)).isEqualTo(undisturbed);
        assertThat(pool.job(spec.job()).counts().failures()).isEqualTo(1);
    }

    @Test
    @Order(7)
    void trainingGoesOnWhileCoordinatorWebUiAndBrokerRestart() throws Exception {
        JobSpec spec = submit("restarts", 2);
        pool.awaitStep(spec.job(), 5);
        pool.restartCoordinator();
        pool.awaitStep(spec.job(), 15);
        pool.restartUi();
        pool.restartBroker();
        pool.awaitPhase(spec.job(), JobPhase.COMPLETED);
        assertThat(pool.finalHash(spec)).isEqualTo(undisturbed);
        pool.assertEverySampleIsConsumedExactlyOnce(spec.job(), STEPS * GLOBAL_BATCH);
        await().atMost(TestPool.PATIENCE)
                .untilAsserted(() -> assertThat(pool.get("/api/jobs/restarts")).contains("COMPLETED"));
    }

    @Test
    @Order(8)
    void theWholeJournalDecidedAgainGivesTheSameDecisionsByteForByte() throws Exception {
        List<JournalEntry> journal = pool.journal().stream()
                .map(received -> received.value().at(received.offset()))
                .toList();
        List<Decision> recorded = pool.decisions();
        var again = new ArrayList<Decision>();
        var audit = new ReplayAudit(new Coordinator()::process);
        audit.fold(ClusterState.empty(pool.pool()), journal, decision -> {
            if (!decision.facts().isEmpty()) {
                again.add(decision);
            }
        });
        var codec = new CanonicalCodec();
        assertThat(recorded).hasSizeGreaterThan(400);
        assertThat(again).hasSameSizeAs(recorded);
        for (int i = 0; i < again.size(); i++) {
            assertThat(codec.encode(again.get(i), Decision.class))
                    .isEqualTo(codec.encode(recorded.get(i), Decision.class));
        }
        assertThat(audit.compare(ClusterState.empty(pool.pool()), journal, recorded)
                        .divergence())
                .isEmpty();
    }
}
