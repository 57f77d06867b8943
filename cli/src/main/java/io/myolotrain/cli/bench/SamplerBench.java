package io.myolotrain.cli.bench;

import io.myolotrain.core.model.PoolId;
import io.myolotrain.worker.runtime.SoloTraining;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** How many readings the sampler takes, and what it costs a training step that they are made at all. */
final class SamplerBench implements Bench {
    private static final int WARM_UP_STEPS = 60;
    private static final int ROUNDS = 11;
    /** Holds every reading of the default rules: histograms of each 10th step, head activity of each 50th. */
    private static final int STEPS = 50;

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

    /** Both sides log their events; the readings are the only difference. */
    private static Map<String, Double> trainingCost(TemporaryCluster cluster, Consumer<String> progress)
            throws Exception {
        var spec = LabGpt.spec(
                "bench", new PoolId("bench"), LabGpt.corpus(cluster.directory()), LabGpt.BATCH, LabGpt.BATCH, 1, 0);
        List<Double> with = new ArrayList<>();
        List<Double> without = new ArrayList<>();
        List<Double> costs = new ArrayList<>();
        try (var reading = new SoloTraining(spec, cluster.directory(), cluster.connection(), true);
                var silent = new SoloTraining(spec, cluster.directory(), cluster.connection(), false)) {
            progress.accept("warming up training");
            reading.millisPerStep(WARM_UP_STEPS);
            silent.millisPerStep(WARM_UP_STEPS);
            for (int round = 1; round <= ROUNDS; round++) {
                boolean readingFirst = round % 2 == 0; // a drift of the machine must not favour one side
                double first = (readingFirst ? reading : silent).millisPerStep(STEPS);
                double second = (readingFirst ? silent : reading).millisPerStep(STEPS);
                double on = readingFirst ? first : second;
                double off = readingFirst ? second : first;
                with.add(on);
                without.add(off);
                costs.add((on / off - 1) * 100);
                progress.accept(String.format(
                        Locale.ROOT, "round %d of %d: with readings %.2f ms, without %.2f ms", round, ROUNDS, on, off));
            }
        }
        var figures = new LinkedHashMap<String, Double>();
        figures.put("trainingCostPercent", Medians.of(costs));
        figures.put("readingMsPerStep", Medians.of(with));
        figures.put("silentMsPerStep", Medians.of(without));
        return figures;
    }
}
