package io.myolotrain.cli.bench;

import io.myolotrain.cli.bench.BenchPool.NewsSeen;
import io.myolotrain.cli.bench.BenchPool.StepSeen;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.worker.runtime.PairTraining;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * From a {@code kill -9} to the next committed step, among real worker processes; and what the protection costs in the same
 * run: the commit barrier and the second owner of every shard, against the same loop without them.
 */
final class RecoveryBench implements Bench {
    private static final JobId JOB = new JobId("bench");
    private static final int WORKERS = 4;
    private static final int ROUNDS = 6;
    private static final int CROWD = 10;
    /** With one more owner of each shard than workers die, no moment is lost; with fewer a checkpoint would be resumed. */
    private static final int CROWD_KILLED = 3;

    private static final int CROWD_ROUNDS = 3;
    private static final int MICRO_BATCH = 1; // short steps: what is measured is the recovery
    private static final long NO_CHECKPOINTS = 0;
    /**
     * Until a standby has opened the job and the compilers of the replaced processes are done with what each step runs: a job
     * that loses a worker has trained for a while. The first round finds all of the recovery itself run for the first time.
     */
    private static final int STEPS_BETWEEN = 300;

    private static final int PROTECTION_ROUNDS = 9;
    private static final int PROTECTION_STEPS = 10;

    @Override
    public String name() {
        return "recovery";
    }

    @Override
    public String about() {
        return "kill -9 to the next committed step, and what the protection costs";
    }

    @Override
    public Map<String, Double> run(Consumer<String> progress) throws Exception {
        var figures = new LinkedHashMap<String, Double>();
        figures.putAll(oneOfFour(progress));
        figures.putAll(threeOfTen(progress));
        figures.putAll(protection(progress));
        return figures;
    }

    /** Each round kills twice: once while a standby is there, once more before the first victim is started again. */
    private static Map<String, Double> oneOfFour(Consumer<String> progress) throws Exception {
        long seed = LabGpt.SEED;
        var random = new Random(seed);
        List<Recovery> withStandby = new ArrayList<>();
        List<Recovery> without = new ArrayList<>();
        try (var pool = new BenchPool()) {
            progress.accept("starting " + (WORKERS + 1) + " workers; victims chosen with seed " + seed);
            pool.startWorkers(WORKERS + 1);
            submit(pool, WORKERS, MICRO_BATCH * WORKERS, 2);
            for (int round = 1; round <= ROUNDS; round++) {
                awaitWorld(pool, WORKERS, WORKERS + 1);
                String first = victims(pool, random, 1).get(0);
                withStandby.add(killToCommit(pool, List.of(first)));
                trainOn(pool, STEPS_BETWEEN);
                String second = victims(pool, random, 1).get(0);
                without.add(killToCommit(pool, List.of(second)));
                progress.accept("round " + round + " of " + ROUNDS + ": with a standby " + withStandby.get(round - 1)
                        + "; without " + without.get(round - 1));
                pool.startReplacement();
                pool.startReplacement();
            }
        }
        List<Recovery> all = new ArrayList<>(withStandby);
        all.addAll(without);
        var figures = new LinkedHashMap<String, Double>();
        figures.put("killToCommitMedianMillis", median(all, Recovery::millis));
        figures.put(
                "killToCommitP99Millis",
                percentile(all.stream().map(Recovery::millis).toList(), 0.99));
        figures.put("withStandbyMedianMillis", median(withStandby, Recovery::millis));
        figures.put("withoutStandbyMedianMillis", median(without, Recovery::millis));
        figures.put("noticedMedianMillis", median(all, Recovery::noticedMillis));
        figures.put("plannedMedianMillis", median(all, Recovery::plannedMillis));
        figures.put("adoptedMedianMillis", median(all, Recovery::adoptedMillis));
        figures.put("kills", (double) all.size());
        return figures;
    }

    private static double median(List<Recovery> recoveries, Function<Recovery, Double> part) {
        return Medians.of(recoveries.stream().map(part).toList());
    }

    private static Map<String, Double> threeOfTen(Consumer<String> progress) throws Exception {
        var random = new Random(LabGpt.SEED);
        List<Double> millis = new ArrayList<>();
        try (var pool = new BenchPool()) {
            progress.accept("starting " + CROWD + " workers");
            pool.startWorkers(CROWD);
            submit(pool, CROWD, MICRO_BATCH * CROWD, CROWD_KILLED + 1);
            for (int round = 1; round <= CROWD_ROUNDS; round++) {
                awaitWorld(pool, CROWD, CROWD);
                List<String> victims = victims(pool, random, CROWD_KILLED);
                millis.add(killToCommit(pool, victims).millis());
                progress.accept(String.format(
                        Locale.ROOT,
                        "3 of 10 killed, round %d of %d: %.0f ms",
                        round,
                        CROWD_ROUNDS,
                        millis.get(round - 1)));
                for (int i = 0; i < victims.size(); i++) {
                    pool.startReplacement();
                }
            }
        }
        var figures = new LinkedHashMap<String, Double>();
        figures.put("kill30PercentMillis", Medians.of(millis));
        figures.put("kill30PercentWorstMillis", Collections.max(millis));
        return figures;
    }

    private static Map<String, Double> protection(Consumer<String> progress) throws Exception {
        List<Double> costs = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        List<Double> without = new ArrayList<>();
        try (Scratch scratch = Scratch.create()) {
            var spec = LabGpt.spec(
                    JOB.value(),
                    new PoolId("bench"),
                    LabGpt.corpus(scratch.directory()),
                    LabGpt.BATCH,
                    2 * LabGpt.BATCH,
                    2,
                    NO_CHECKPOINTS);
            try (var guarded = new PairTraining(spec, true);
                    var bare = new PairTraining(spec, false)) {
                guarded.millisPerStep(PROTECTION_STEPS);
                bare.millisPerStep(PROTECTION_STEPS);
                for (int round = 1; round <= PROTECTION_ROUNDS; round++) {
                    boolean guardedFirst = round % 2 == 0; // a drift of the machine must not favour one side
                    double first = (guardedFirst ? guarded : bare).millisPerStep(PROTECTION_STEPS);
                    double second = (guardedFirst ? bare : guarded).millisPerStep(PROTECTION_STEPS);
                    double on = guardedFirst ? first : second;
                    double off = guardedFirst ? second : first;
                    with.add(on);
                    without.add(off);
                    costs.add((on / off - 1) * 100);
                    progress.accept(String.format(
                            Locale.ROOT,
                            "protection, round %d of %d: with %.1f ms, without %.1f ms a step",
                            round,
                            PROTECTION_ROUNDS,
                            on,
                            off));
                }
            }
        }
        var figures = new LinkedHashMap<String, Double>();
        figures.put("protectionPercent", Medians.of(costs));
        figures.put("protectedMsPerStep", Medians.of(with));
        figures.put("unprotectedMsPerStep", Medians.of(without));
        return figures;
    }

    private static void submit(BenchPool pool, int workers, int globalBatch, int replicas) throws IOException {
        pool.publish(new Event.JobSubmitted(
                LabGpt.spec(
                        LabGpt.SMALL,
                        JOB.value(),
                        pool.id(),
                        LabGpt.corpus(pool.directory()),
                        MICRO_BATCH,
                        globalBatch,
                        workers,
                        replicas,
                        NO_CHECKPOINTS),
                "bench"));
    }

    private static void awaitWorld(BenchPool pool, int workers, int alive) throws InterruptedException {
        pool.await(alive + " workers in the pool", state -> state.workers().size() == alive);
        pool.await("a plan of " + workers, state -> state.job(JOB)
                .filter(job -> job.pending().isEmpty() && !job.plans().activeIsBroken())
                .flatMap(JobState::active)
                .filter(plan -> plan.worldSize() == workers)
                .isPresent());
        trainOn(pool, STEPS_BETWEEN);
    }

    private static void trainOn(BenchPool pool, int steps) throws InterruptedException {
        int seen = pool.steps().size();
        pool.await("training", () -> pool.steps().size() >= seen + steps);
    }

    private static Plan active(BenchPool pool) {
        return pool.state().job(JOB).flatMap(JobState::active).orElseThrow();
    }

    private static List<String> victims(BenchPool pool, Random random, int count) {
        var members = new ArrayList<String>();
        active(pool)
                .members()
                .forEach(member -> members.add(member.worker().ref().id().value()));
        Collections.shuffle(members, random);
        return members.subList(0, count);
    }

    /**
     * All since the kill, by the workers' and the coordinator's clocks.
     *
     * @param noticedMillis a survivor reports the broken collective
     * @param plannedMillis the coordinator has ordered that report; the plan is decided at once
     * @param adoptedMillis the first rank has adopted the new plan
     * @param handoverMillis how long the slowest rank took to adopt it, once its group had formed
     * @param millis the first step of the new world is committed
     */
    private record Recovery(
            double noticedMillis, double plannedMillis, double adoptedMillis, double handoverMillis, double millis) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%.0f ms (noticed %.0f, planned %.0f, adopted %.0f, handover %.0f)",
                    millis,
                    noticedMillis,
                    plannedMillis,
                    adoptedMillis,
                    handoverMillis);
        }
    }

    private static Recovery killToCommit(BenchPool pool, List<String> victims) throws InterruptedException {
        Generation before = active(pool).generation();
        int seen = pool.steps().size();
        int told = pool.news().size();
        long killedAtMs = System.currentTimeMillis();
        pool.kill(victims);
        pool.await("a step after the kill", () -> firstOfNewWorld(pool, seen, before) != null);
        StepSeen next = Objects.requireNonNull(firstOfNewWorld(pool, seen, before));
        long lastBefore = pool.steps().get(seen - 1).step().step();
        if (next.step().step() <= lastBefore) {
            throw new IllegalStateException("a committed step was lost: committed=" + lastBefore + " went on with "
                    + next.step().step());
        }
        Generation after = next.step().generation();
        List<NewsSeen> all = List.copyOf(pool.news());
        List<NewsSeen> news = all.subList(told, all.size());
        double noticed = first(news, event -> event instanceof Event.CollectiveFailed) - killedAtMs;
        double adopted = first(
                        news,
                        event -> event instanceof Event.PlanApplied applied
                                && applied.generation().equals(after))
                - killedAtMs;
        double planned = pool.decisions().stream()
                .filter(decision -> decision.facts().stream()
                        .anyMatch(fact -> fact instanceof Fact.PlanIssued issued
                                && issued.plan().generation().equals(after)))
                .mapToDouble(Decision::atMs)
                .findFirst()
                .orElse(Double.NaN);
        double handover = news.stream()
                .map(NewsSeen::event)
                .filter(event -> event instanceof Event.PlanApplied applied
                        && applied.generation().equals(after))
                .mapToDouble(event -> ((Event.PlanApplied) event).stallMicros() / 1e3)
                .max()
                .orElse(Double.NaN);
        return new Recovery(noticed, planned - killedAtMs, adopted, handover, (double) next.atMs() - killedAtMs);
    }

    private static double first(List<NewsSeen> news, Predicate<Event> wanted) {
        return news.stream()
                .filter(seen -> wanted.test(seen.event()))
                .mapToDouble(NewsSeen::atMs)
                .min()
                .orElse(Double.NaN);
    }

    private static @Nullable StepSeen firstOfNewWorld(BenchPool pool, int from, Generation before) {
        List<StepSeen> steps = pool.steps();
        for (int i = from; i < steps.size(); i++) {
            if (steps.get(i).step().generation().isAfter(before)) {
                return steps.get(i);
            }
        }
        return null;
    }

    private static double percentile(List<Double> values, double share) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, (int) Math.ceil(share * sorted.size()) - 1));
    }
}
