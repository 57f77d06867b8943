package io.myolotrain.cli.bench;

import io.myolotrain.cli.bench.BenchPool.StepSeen;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * 2 → 4 workers while the job trains, against the same change the old way in the same run: stop with a checkpoint, start four
 * new processes, resume.
 */
final class ResizeBench implements Bench {
    private static final JobId JOB = new JobId("bench");
    private static final int WORKERS = 4;
    private static final int MICRO_BATCH = 2; // short steps: their scatter must not hide the stall
    private static final int GLOBAL_BATCH = 8;
    /** Stopping writes a checkpoint; an interval that is never reached keeps them out of the measured steps. */
    private static final long CHECKPOINT_EVERY = 1_000_000;

    private static final int ROUNDS = 9;
    private static final int RESTARTS = 2;
    private static final int STEPS_BETWEEN = 10;
    /** Below this a stall is noise of the clock; a ratio must not profit from that. */
    private static final double STALL_MILLIS_MIN = 1;

    private static final double MICROS_PER_MILLI = 1e3;

    @Override
    public String name() {
        return "resize";
    }

    @Override
    public String about() {
        return "2 to 4 workers in a running job, against stop and restart from a checkpoint";
    }

    @Override
    public Map<String, Double> run(Consumer<String> progress) throws Exception {
        try (var pool = new BenchPool()) {
            progress.accept("starting " + WORKERS + " workers");
            pool.startWorkers(WORKERS);
            JobSpec spec = LabGpt.spec(
                    JOB.value(),
                    pool.id(),
                    LabGpt.corpus(pool.directory()),
                    MICRO_BATCH,
                    GLOBAL_BATCH,
                    2,
                    CHECKPOINT_EVERY);
            pool.publish(new Event.JobSubmitted(spec, "bench"));
            trainOn(pool);
            List<Double> stalls = new ArrayList<>();
            List<Double> stepsToApply = new ArrayList<>();
            for (int round = 1; round <= ROUNDS; round++) {
                Resize up = resize(pool, WORKERS);
                stalls.add(up.stallMillis());
                stepsToApply.add(up.stepsFromPlanToApplied());
                progress.accept(String.format(
                        Locale.ROOT,
                        "resize %d of %d: %.0f steps from plan to applied, stall %.0f ms, handover %.0f of that, step %.0f ms",
                        round,
                        ROUNDS,
                        up.stepsFromPlanToApplied(),
                        up.stallMillis(),
                        up.handoverMillis(),
                        up.stepMillis()));
                trainOn(pool);
                resize(pool, 2);
                trainOn(pool);
            }
            List<Double> restarts = new ArrayList<>();
            for (int round = 1; round <= RESTARTS; round++) {
                restarts.add(restart(pool));
                progress.accept(String.format(
                        Locale.ROOT, "restart %d of %d: %.0f ms", round, RESTARTS, restarts.get(round - 1)));
                trainOn(pool);
            }
            var figures = new LinkedHashMap<String, Double>();
            figures.put("stepsFromPlanToApplied", Medians.of(stepsToApply));
            figures.put("stallMillis", Medians.of(stalls));
            figures.put(
                    "worstStallMillis",
                    stalls.stream().mapToDouble(d -> d).max().orElseThrow());
            figures.put("restartMillis", Medians.of(restarts));
            figures.put("ratio", Medians.of(restarts) / Math.max(STALL_MILLIS_MIN, Medians.of(stalls)));
            return figures;
        }
    }

    private static void trainOn(BenchPool pool) throws InterruptedException {
        int seen = pool.steps().size();
        pool.await("training", () -> pool.steps().size() >= seen + STEPS_BETWEEN);
    }

    /**
     * @param handoverMillis what the workers report: from the end of the old world to the start of the new one
     * @param stepMillis of the new world
     */
    private record Resize(
            double stepsFromPlanToApplied, double stallMillis, double handoverMillis, double stepMillis) {}

    private static Resize resize(BenchPool pool, int workers) throws InterruptedException {
        String id = change(pool, Map.of("workers", Integer.toString(workers)));
        pool.await("the plan", () -> issued(pool, id).isPresent());
        Issued plan = issued(pool, id).orElseThrow();
        pool.await(
                "steps of generation " + plan.generation(),
                () -> pool.steps().stream()
                                .filter(seen -> seen.step().generation().equals(plan.generation()))
                                .count()
                        >= STEPS_BETWEEN);
        List<StepSeen> steps = List.copyOf(pool.steps());
        int first = 0;
        while (!steps.get(first).step().generation().equals(plan.generation())) {
            first++;
        }
        long sincePlan = steps.subList(0, first).stream()
                .filter(seen -> seen.atMs() >= plan.atMs())
                .count();
        double gap = (double) steps.get(first).atMs() - steps.get(first - 1).atMs();
        double step = normalStepMillis(steps, first);
        return new Resize(sincePlan, gap - step, handoverMillis(pool, plan.generation()), step);
    }

    private static double handoverMillis(BenchPool pool, Generation generation) throws InterruptedException {
        pool.await(
                "the new generation in force", () -> activated(pool, generation).isPresent());
        return activated(pool, generation).orElseThrow().stallMicros() / MICROS_PER_MILLI;
    }

    private static Optional<Fact.PlanActivated> activated(BenchPool pool, Generation generation) {
        return pool.decisions().stream()
                .flatMap(decision -> decision.facts().stream())
                .filter(Fact.PlanActivated.class::isInstance)
                .map(Fact.PlanActivated.class::cast)
                .filter(fact -> fact.generation().equals(generation))
                .findFirst();
    }

    /** A normal step of the new world; its first one is what is being judged. */
    private static double normalStepMillis(List<StepSeen> steps, int first) {
        List<Double> millis = new ArrayList<>();
        for (int i = first + 2; i < steps.size(); i++) {
            millis.add((double) steps.get(i).atMs() - steps.get(i - 1).atMs());
        }
        return Medians.of(millis);
    }

    private record Issued(Generation generation, long atMs) {}

    private static Optional<Issued> issued(BenchPool pool, String eventId) {
        for (Decision decision : pool.decisions()) {
            if (decision.eventId().equals(eventId)) {
                for (Fact fact : decision.facts()) {
                    if (fact instanceof Fact.PlanIssued issued) {
                        return Optional.of(new Issued(issued.plan().generation(), decision.atMs()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** From the last step of two workers to the first of four new processes, beyond a normal step. */
    private static double restart(BenchPool pool) throws Exception {
        change(pool, Map.of("state", "stopped"));
        pool.await("the job to stop", state -> state.job(JOB).orElseThrow().phase() == JobPhase.STOPPED);
        long last = pool.steps().get(pool.steps().size() - 1).step().step();
        int seen = pool.steps().size();
        long stoppedAtMs = pool.steps().get(seen - 1).atMs();
        pool.stopWorkers();
        pool.startWorkers(WORKERS);
        change(pool, Map.of("state", "running", "workers", Integer.toString(WORKERS)));
        pool.await("steps after the restart", () -> pool.steps().size() >= seen + STEPS_BETWEEN);
        List<StepSeen> steps = List.copyOf(pool.steps());
        if (steps.get(seen).step().step() != last + 1) {
            throw new IllegalStateException("the restart must go on where the job stopped: stopped after step " + last
                    + ", went on with " + steps.get(seen).step().step());
        }
        double millis = steps.get(seen).atMs() - stoppedAtMs - normalStepMillis(steps, seen);
        change(pool, Map.of("workers", "2"));
        pool.await("two workers again", state -> state.job(JOB)
                .orElseThrow()
                .active()
                .filter(plan -> plan.worldSize() == 2)
                .isPresent());
        return millis;
    }

    private static String change(BenchPool pool, Map<String, String> changes) {
        return pool.publish(new Event.ConfigChangeRequested(JOB, new TreeMap<>(changes), "bench"));
    }
}
