package io.myolotrain.cli.bench;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.worker.checkpoint.StateHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * 200 faults over 1,000 steps of real worker processes: deaths, freezes and resizes on a seed. The final parameters and
 * moments are compared with those of a run that nobody disturbed. Between faults the job is paused until a replacement is
 * there, as processes start slower than steps pass.
 */
final class FaultsBench implements Bench {
    private static final long STEPS = 1_000;
    private static final int FAULTS = 200;
    private static final int WORKERS = 3;
    private static final int GLOBAL_BATCH = 8;
    private static final int FREEZE_ONE_IN = 10; // each takes the seconds of a deadline

    @Override
    public String name() {
        return "faults";
    }

    @Override
    public String about() {
        return "200 random faults over 1,000 steps, compared bit by bit with an undisturbed run (about half an hour)";
    }

    @Override
    public Map<String, Double> run(Consumer<String> progress) throws Exception {
        var random = new Random(LabGpt.SEED);
        try (var pool = new BenchPool()) {
            progress.accept("seed " + LabGpt.SEED + "; starting " + (WORKERS + 1) + " workers");
            pool.startWorkers(WORKERS + 1);
            JobSpec quiet = spec(pool, "quiet");
            pool.publish(new Event.JobSubmitted(quiet, "bench"));
            awaitDone(pool, quiet.job());
            JobSpec spec = spec(pool, "disturbed");
            pool.publish(new Event.JobSubmitted(spec, "bench"));
            for (int fault = 1; fault <= FAULTS; fault++) {
                long target = 1 + (STEPS - 20) * fault / FAULTS;
                pool.await("step " + target, () -> committed(pool, spec.job()) >= target);
                long before = newest(pool, spec.job());
                String what = inject(pool, spec.job(), random);
                pool.await("a step after the fault", () -> newest(pool, spec.job()) > before);
                restore(pool, spec.job());
                if (fault % 10 == 0) {
                    progress.accept("fault " + fault + " of " + FAULTS + " (" + what + ") at step " + before);
                }
            }
            awaitDone(pool, spec.job());
            var figures = new LinkedHashMap<String, Double>();
            boolean same = StateHash.of(pool.checkpoints(), quiet, STEPS)
                    .equals(StateHash.of(pool.checkpoints(), spec, STEPS));
            figures.put("bitIdentical", same ? 1.0 : 0.0);
            figures.put("faults", (double) FAULTS);
            figures.put(
                    "stepsMissing",
                    (double) STEPS - pool.runsOfSteps(spec.job()).size());
            figures.put("stepsRunTwice", (double) runTwice(pool, spec.job()));
            return figures;
        }
    }

    private static JobSpec spec(BenchPool pool, String name) throws IOException {
        JobSpec base = LabGpt.spec(
                LabGpt.SMALL, name, pool.id(), LabGpt.corpus(pool.directory()), 1, GLOBAL_BATCH, WORKERS, 2, STEPS);
        return new JobSpec(
                base.job(),
                base.pool(),
                base.attempt(),
                base.model(),
                base.seed(),
                base.microBatch(),
                base.data(),
                base.transport(),
                base.replicas(),
                LabGpt.withSteps(base.initialConfig(), STEPS));
    }

    private static String inject(BenchPool pool, JobId job, Random random) throws Exception {
        List<WorkerRef> members = new ArrayList<>();
        pool.state()
                .job(job)
                .flatMap(JobState::active)
                .orElseThrow()
                .members()
                .forEach(member -> members.add(member.worker().ref()));
        Collections.shuffle(members, random);
        String victim = members.get(0).id().value();
        int draw = random.nextInt(FREEZE_ONE_IN);
        if (members.size() > 1 && draw == 0) {
            pool.freeze(victim);
            pool.await("frozen " + victim + " is given up", state -> !state.isLive(members.get(0)));
            pool.kill(List.of(victim));
            return "freeze " + victim;
        }
        if (members.size() > 1 && draw > 2) {
            pool.kill(List.of(victim));
            return "kill " + victim;
        }
        String workers = Integer.toString(1 + random.nextInt(WORKERS));
        change(pool, job, Map.of("workers", workers));
        return "workers=" + workers;
    }

    /** Four workers in the pool and three of them in the job again, while it stands still. */
    private static void restore(BenchPool pool, JobId job) throws Exception {
        if (pool.running().size() == WORKERS + 1) {
            return;
        }
        change(pool, job, Map.of("state", "paused"));
        while (pool.running().size() < WORKERS + 1) {
            pool.startReplacement();
        }
        pool.await(
                "the workers that run, and no others",
                state -> state.workers().keySet().equals(pool.running()));
        change(pool, job, Map.of("state", "running", "workers", Integer.toString(WORKERS)));
        pool.await("a plan of " + WORKERS + " that runs", state -> state.job(job)
                .filter(j -> j.phase() == JobPhase.RUNNING && j.pending().isEmpty())
                .flatMap(JobState::active)
                .filter(plan -> plan.worldSize() == WORKERS
                        && plan.members().stream()
                                .allMatch(member -> state.isLive(member.worker().ref())))
                .isPresent());
    }

    private static void change(BenchPool pool, JobId job, Map<String, String> changes) {
        pool.publish(new Event.ConfigChangeRequested(job, new TreeMap<>(changes), "bench"));
    }

    private static void awaitDone(BenchPool pool, JobId job) throws InterruptedException {
        pool.await(job + " to complete", state -> state.job(job)
                .filter(j -> j.phase() == JobPhase.COMPLETED)
                .flatMap(JobState::lastCheckpoint)
                .filter(checkpoint -> checkpoint.step() == STEPS)
                .isPresent());
    }

    private static long committed(BenchPool pool, JobId job) {
        return pool.state().job(job).map(JobState::committedStep).orElse(0L);
    }

    private static long newest(BenchPool pool, JobId job) {
        return pool.steps().stream()
                .filter(seen -> seen.step().job().equals(job))
                .mapToLong(seen -> seen.step().step())
                .max()
                .orElse(0);
    }

    /** Steps that were committed in one world and again in the next: those behind a checkpoint that had to be gone back to. */
    private static long runTwice(BenchPool pool, JobId job) {
        return pool.runsOfSteps(job).values().stream()
                .filter(generations -> generations.size() > 1)
                .count();
    }
}
