package io.myolotrain.worker.runtime;

import static io.myolotrain.worker.runtime.ToyJob.MICRO_BATCHES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The step protocol among threads of one process, over real shared memory and real checkpoints; only the model is a toy. */
class StepLoopTest {
    private static final long STEPS = 2_000;

    @TempDir
    Path checkpoints;

    private final List<ToyWorker> workers = new ArrayList<>();

    @AfterEach
    void stopAll() throws InterruptedException {
        for (ToyWorker worker : workers) {
            worker.close();
        }
    }

    @Test
    void parametersAndMomentsAreBitIdenticalAfterAnyResizes() throws Exception {
        String undisturbed = undisturbed();
        long seed = new Random().nextLong();
        System.out.println("resizes: seed=" + seed);
        var random = new Random(seed);
        start(4);
        var job = new ToyJob("resized", checkpoints, STEPS);
        long step = 0;
        for (int size : new int[] {1, 4, 3, 2, 4, 1, 2, 3}) {
            List<ToyWorker> shuffled = new ArrayList<>(workers);
            java.util.Collections.shuffle(shuffled, random);
            Generation generation = job.plan(shuffled.subList(0, size), List.of());
            job.awaitApplied(generation);
            step += random.nextInt((int) STEPS / 12);
            job.awaitStep(step);
        }
        assertThat(job.awaitFinalHash()).isEqualTo(undisturbed);
        everySampleIsConsumedExactlyOnce();
    }

    @Test
    void aKilledWorkerCostsNoCommittedStepAndNoBit() throws Exception {
        String undisturbed = undisturbed();
        start(3);
        var job = new ToyJob("killed", checkpoints, STEPS);
        job.awaitApplied(job.plan(workers.get(0), workers.get(1), workers.get(2)));
        job.awaitStep(100);
        ToyWorker victim = workers.get(1);
        victim.kill();
        for (ToyWorker survivor : List.of(workers.get(0), workers.get(2))) {
            await().atMost(ToyJob.PATIENCE)
                    .until(() -> !survivor.events(Event.CollectiveFailed.class).isEmpty());
            assertThat(survivor.events(Event.CollectiveFailed.class).get(0).suspects())
                    .containsExactly(victim.info().ref());
        }
        job.awaitApplied(job.plan(List.of(workers.get(0), workers.get(2)), List.of(victim)));
        assertThat(job.awaitFinalHash()).isEqualTo(undisturbed);
    }

    @Test
    void aStoppedRunGoesOnFromItsCheckpointWithAnotherNumberOfWorkers() throws Exception {
        String undisturbed = undisturbed();
        start(2);
        var job = new ToyJob("stopped", checkpoints, STEPS);
        job.awaitApplied(job.plan(workers.get(0), workers.get(1)));
        job.awaitStep(50);
        List<ToyWorker> first = List.copyOf(workers);
        for (ToyWorker worker : first) {
            worker.close(); // asks for a checkpoint before it leaves
        }
        workers.clear();
        start(3);
        Generation resumed = job.plan(List.copyOf(workers), first);
        job.awaitApplied(resumed);
        assertThat(workers.get(0).events(Event.PlanApplied.class).get(0).firstStep())
                .isGreaterThan(50);
        assertThat(job.awaitFinalHash()).isEqualTo(undisturbed);
    }

    private String undisturbed() throws Exception {
        var alone = new ToyWorker("alone", checkpoints);
        workers.add(alone);
        var job = new ToyJob("undisturbed", checkpoints, STEPS);
        job.plan(alone);
        String hash = job.awaitFinalHash();
        alone.close();
        workers.remove(alone);
        return hash;
    }

    private void start(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            workers.add(new ToyWorker("w" + workers.size() + "-" + System.nanoTime() % 1_000_000, checkpoints));
        }
    }

    /** From the reports alone: the blocks of each step cover its samples without gap or overlap. */
    private void everySampleIsConsumedExactlyOnce() {
        var bySamplePosition = new TreeMap<Long, Event.StepCompleted>();
        for (ToyWorker worker : workers) {
            for (Event.StepCompleted step : worker.events(Event.StepCompleted.class)) {
                assertThat(bySamplePosition.put(step.samplePosition(), step))
                        .as("block reported twice: %s", step)
                        .isNull();
            }
        }
        long expected = 0;
        for (Event.StepCompleted block : bySamplePosition.values()) {
            assertThat(block.samplePosition()).isEqualTo(expected);
            expected += block.sampleCount();
        }
        assertThat(expected).isEqualTo(STEPS * MICRO_BATCHES * 2);
    }
}
