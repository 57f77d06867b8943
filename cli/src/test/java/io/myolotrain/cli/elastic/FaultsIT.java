package io.myolotrain.cli.elastic;

import static io.myolotrain.cli.elastic.TestJob.GLOBAL_BATCH;
import static io.myolotrain.cli.elastic.TestJob.STEPS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.cli.doctor.Stethoscope;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.diagnosis.Finding;
import io.myolotrain.core.diagnosis.JobDoctor;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.WorkerRef;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that die, freeze and return, on real parts. Whatever happens, the result has the bits of the undisturbed run,
 * which comes first. Every scenario leaves a pool of four behind.
 */
class FaultsIT {
    private static final int WORKERS = 4;
    private static final long MANY_STEPS = 110;

    @TempDir
    static Path directory;

    private static TestPool pool;
    private static Path corpus;
    private static String undisturbed;

    @BeforeAll
    static void startPool() throws Exception {
        corpus = TestJob.corpus(directory);
        pool = new TestPool(directory, WORKERS);
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
        return submit(TestJob.spec(name, pool.pool(), workers, corpus));
    }

    private static JobSpec submit(JobSpec spec) {
        pool.submitWhenIdle(spec, WORKERS);
        return spec;
    }

    private static List<WorkerRef> members(JobId job) {
        return pool.job(job).active().orElseThrow().members().stream()
                .map(member -> member.worker().ref())
                .toList();
    }

    private static void startAgain(List<WorkerRef> dead) throws Exception {
        for (WorkerRef worker : dead) {
            pool.awaitState(worker + " is gone", state -> !state.isLive(worker));
            pool.fleet().start(worker.id().value());
        }
        pool.awaitState("four workers again", state -> state.workers().size() == WORKERS);
    }

    /** Case D05, and a stuck run that explains itself. */
    @Test
    void aFrozenWorkerIsNamedGivenUpAndComesBackAsANewOne() throws Exception {
        JobSpec spec = submit("frozen", 3);
        pool.awaitStep(spec.job(), 10);
        WorkerRef frozen = members(spec.job()).get(1);
        pool.fleet().freeze(frozen.id().value());
        try (Stethoscope stethoscope = Stethoscope.open(pool.session())) {
            var cause = new AtomicReference<Finding>();
            await("a diagnosis that names the frozen rank")
                    .atMost(TestPool.PATIENCE)
                    .until(() -> JobDoctor.examine(pool.state(), pool.job(spec.job()), stethoscope.heard()).stream()
                            .filter(finding -> finding.severity() == Finding.Severity.CAUSE
                                    && finding.worker().equals(frozen.id().value())
                                    && finding.what().contains(" #"))
                            .peek(cause::set)
                            .findFirst()
                            .isPresent());
            assertThat(cause.get().rank()).isEqualTo(1);
            assertThat(cause.get().what()).contains("rank 1", frozen.toString(), "has not arrived at");
        }
        pool.awaitState("a plan without the frozen worker", state -> state.job(spec.job())
                .flatMap(JobState::active)
                .filter(plan -> !plan.involves(frozen))
                .isPresent());
        pool.awaitStep(spec.job(), pool.job(spec.job()).committedStep() + 5);
        pool.fleet().thaw(frozen.id().value());
        pool.awaitState("a new life of the frozen worker", state -> state.worker(frozen.id())
                .filter(worker -> worker.ref().incarnation() > frozen.incarnation())
                .isPresent());
        pool.awaitPhase(spec.job(), JobPhase.COMPLETED);
        assertThat(pool.finalHash(spec)).isEqualTo(undisturbed);
        pool.assertEverySampleIsConsumedExactlyOnce(spec.job(), STEPS * GLOBAL_BATCH);
    }

    /** Case D23 with the proportions of four workers, and case D04: the survivor is whoever is left. */
    @Test
    void threeOfFourDieAtOnceAndTheLastOneGoesOn() throws Exception {
        JobSpec spec = submit("burst", 4);
        pool.awaitStep(spec.job(), 10);
        List<WorkerRef> dead = members(spec.job()).subList(0, 3);
        long before = pool.job(spec.job()).counts().plansIssued();
        pool.fleet().kill(ids(dead));
        pool.awaitState("a plan of one", state -> state.job(spec.job())
                .flatMap(JobState::active)
                .filter(plan -> plan.worldSize() == 1)
                .isPresent());
        assertThat(pool.job(spec.job()).counts().plansIssued() - before)
                .as("what ends in one moment is one report; a second plan is for who outlived that moment")
                .isLessThanOrEqualTo(2);
        pool.awaitStep(spec.job(), pool.job(spec.job()).committedStep() + 3);
        startAgain(dead);
        pool.awaitPhase(spec.job(), JobPhase.COMPLETED);
        assertThat(pool.finalHash(spec)).isEqualTo(undisturbed);
    }

    /** Nobody is left to say so; the processes that come back take the places of their former lives. */
    @Test
    void allDieAndTheJobGoesOnFromItsCheckpoint() throws Exception {
        JobSpec spec = submit("everybody", 3);
        pool.apply(spec.job(), Map.of("checkpoint.every", "5"));
        pool.awaitState(
                "a checkpoint",
                state -> state.job(spec.job()).flatMap(JobState::lastCheckpoint).isPresent());
        List<WorkerRef> all = pool.state().workers().values().stream()
                .map(worker -> worker.ref())
                .toList();
        pool.fleet().kill(ids(all));
        for (WorkerRef worker : all) {
            pool.fleet().start(worker.id().value());
        }
        pool.awaitState(
                "four new lives",
                state -> state.workers().size() == WORKERS && all.stream().noneMatch(state::isLive));
        pool.awaitPhase(spec.job(), JobPhase.COMPLETED);
        assertThat(pool.finalHash(spec)).isEqualTo(undisturbed);
    }

    /** Deaths, freezes, departures and resizes in a random order; each is followed by some steps. */
    @Test
    void randomFaultsChangeNoBitAndLoseNoStep() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("random faults: seed=" + seed);
        var random = new Random(seed);
        JobSpec quiet = submit(TestJob.spec("random-quiet", pool.pool(), WORKERS, corpus, MANY_STEPS));
        pool.awaitPhase(quiet.job(), JobPhase.COMPLETED);
        JobSpec spec = submit(TestJob.spec("random", pool.pool(), WORKERS, corpus, MANY_STEPS));
        pool.change(spec.job(), Map.of("checkpoint.every", "10")); // two deaths may take both owners of a shard
        int faults = 0;
        long step = 5;
        while (step < MANY_STEPS - 20) {
            pool.awaitStep(spec.job(), step);
            List<WorkerRef> members = new ArrayList<>(members(spec.job()));
            Collections.shuffle(members, random);
            switch (members.size() < 2 ? 4 : random.nextInt(7)) {
                case 0, 1 -> die(spec, members.subList(0, 1));
                case 2 -> die(spec, members.subList(0, Math.min(2, members.size() - 1)));
                case 3 -> freezeUntilGivenUp(spec, members.get(0)); // takes the seconds of a deadline
                default -> pool.change(spec.job(), Map.of("workers", Integer.toString(2 + random.nextInt(3))));
            }
            faults++;
            step = pool.job(spec.job()).committedStep() + 5 + random.nextInt(20);
        }
        pool.awaitPhase(spec.job(), JobPhase.COMPLETED);
        System.out.println("random faults: " + faults);
        assertThat(faults).isGreaterThan(2);
        assertThat(pool.finalHash(spec)).isEqualTo(pool.finalHash(quiet));
        pool.assertEveryStepIsReported(spec.job(), MANY_STEPS);
        pool.awaitState("four workers again", state -> state.workers().size() == WORKERS);
    }

    /** Two at once may take both owners of a shard with them: then the job resumes from a checkpoint. */
    private static void die(JobSpec spec, List<WorkerRef> victims) throws Exception {
        System.out.println("step " + pool.job(spec.job()).committedStep() + ": kill " + victims);
        pool.fleet().kill(ids(victims));
        for (WorkerRef victim : victims) {
            pool.awaitState(victim + " is gone", state -> !state.isLive(victim));
            pool.fleet().start(victim.id().value());
        }
    }

    private static void freezeUntilGivenUp(JobSpec spec, WorkerRef victim) throws Exception {
        System.out.println("step " + pool.job(spec.job()).committedStep() + ": freeze " + victim);
        pool.fleet().freeze(victim.id().value());
        pool.awaitState(
                victim + " is given up, or the job is done",
                state -> !state.isLive(victim)
                        || state.job(spec.job())
                                .filter(job -> job.phase() == JobPhase.COMPLETED)
                                .isPresent());
        pool.fleet().thaw(victim.id().value());
    }

    private static List<String> ids(List<WorkerRef> workers) {
        return workers.stream().map(worker -> worker.id().value()).toList();
    }
}
