package io.myolotrain.cli.bench;

import io.myolotrain.core.model.PoolId;
import io.myolotrain.worker.runtime.SoloTraining;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** How many readings the sampler takes, and what it costs a training step that they are made at all. */
final class SamplerBench implements Bench {
    private static final int WARM_UP_STEPS = 50;
    /** Holds every reading of the default rules: histograms of each 10th step, head activity of each 50th. */
    private static final int CYCLE_STEPS = 50;

    private static final int STEPS = 8 * CYCLE_STEPS;
    private static final int TURN_STEPS = 5;

    private static final int SILENT = 0;
    private static final int READING = 1;

    @Override
    public String name() {
        return "sampler";
    }

    @Override
    public String about() {
        return "readings through broker and sampler, all roll-ups on; a step with default readings against one with none";
    }

    @Override
    public Map<String, Double> run(Consumer<String> progress) throws Exception {
        var figures = new LinkedHashMap<String, Double>();
        try (var cluster = new TemporaryCluster()) {
            figures.putAll(new SamplerThroughput(cluster, progress).measure());
            figures.putAll(trainingCost(cluster, progress));
        }
        return figures;
    }

    /**
     * Both sides log their events; the readings are the only difference. What they cost is told three times: the time that
     * they take from the training thread, what other threads of the worker do for them, and how much longer a step takes in
     * the end.
     */
    private static Map<String, Double> trainingCost(TemporaryCluster cluster, Consumer<String> progress)
            throws Exception {
        var spec = LabGpt.spec(
                "bench", new PoolId("bench"), LabGpt.corpus(cluster.directory()), LabGpt.BATCH, LabGpt.BATCH, 1, 0);
        var turns = new TakingTurns(TURN_STEPS, STEPS);
        var threads = new HelperThreads();
        try (var silent = threads.tell(
                        () -> new SoloTraining(spec, cluster.directory(), cluster.connection(), false), SILENT);
                var reading = threads.tell(
                        () -> new SoloTraining(spec, cluster.directory(), cluster.connection(), true), READING)) {
            progress.accept("warming up training");
            silent.millisPerStep(WARM_UP_STEPS);
            reading.millisPerStep(WARM_UP_STEPS);
            silent.afterEachStep(() -> turns.stepped(SILENT));
            reading.afterEachStep(() -> {
                turns.stepped(READING);
                int done = turns.done(READING);
                if (done > 0 && done % CYCLE_STEPS == 0) {
                    progress.accept(
                            String.format(Locale.ROOT, "%d of %d steps with and without readings", done, STEPS));
                }
            });
            progress.accept(String.format(Locale.ROOT, "%d steps with readings, as many without, in turn", STEPS));
            double readingMs = reading.readingNanos() / 1e6;
            double silentHelpersMs = threads.cpuMillis(SILENT);
            double readingHelpersMs = threads.cpuMillis(READING);
            var pool = Executors.newFixedThreadPool(2);
            try {
                List<Callable<Double>> both =
                        List.of(() -> silent.millisPerStep(STEPS), () -> reading.millisPerStep(STEPS));
                for (Future<Double> one : pool.invokeAll(both)) {
                    one.get();
                }
            } finally {
                pool.shutdown();
            }
            readingMs = reading.readingNanos() / 1e6 - readingMs;
            silentHelpersMs = threads.cpuMillis(SILENT) - silentHelpersMs;
            readingHelpersMs = threads.cpuMillis(READING) - readingHelpersMs;

            Comparison steps = compare(turns.millisOf(READING), turns.millisOf(SILENT));
            double percentOfSteps = 100 / (STEPS * steps.silentMs());
            var figures = new LinkedHashMap<String, Double>();
            figures.put("trainingCostPercent", readingMs * percentOfSteps);
            figures.put("readingThreadsPercent", (readingHelpersMs - silentHelpersMs) * percentOfSteps);
            figures.put("stepDifferencePercent", steps.moreMs() / steps.silentMs() * 100);
            figures.put("silentMsPerStep", steps.silentMs());
            return figures;
        }
    }

    /**
     * Of a step.
     *
     * @param moreMs with readings, by so much longer
     * @param silentMs without
     */
    record Comparison(double moreMs, double silentMs) {}

    /**
     * Which steps of a cycle carry which readings does not matter: each is compared with the same one of the other side, by
     * the median over all cycles. On a machine with neighbours one step takes twice as long as another, and the difference of
     * two such medians is known to a percent or two.
     */
    static Comparison compare(double[] on, double[] off) {
        double more = 0;
        double silent = 0;
        for (int step = 0; step < CYCLE_STEPS; step++) {
            var differences = new ArrayList<Double>();
            var without = new ArrayList<Double>();
            for (int i = step; i < on.length; i += CYCLE_STEPS) {
                differences.add(on[i] - off[i]);
                without.add(off[i]);
            }
            more += Medians.of(differences) / CYCLE_STEPS;
            silent += Medians.of(without) / CYCLE_STEPS;
        }
        return new Comparison(more, silent);
    }
}
