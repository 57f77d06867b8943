package io.myolotrain.cli.bench;

import io.myolotrain.core.model.PoolId;
import io.myolotrain.worker.runtime.SoloTraining;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** What it costs a step that all of its events go to topics, with a broker and a coordinator reading them beside it. */
final class LogOverheadBench implements Bench {
    /** At least ten steps a second on a slow core: the faster the steps, the more the events weigh. */
    private static final int BATCH = 2;

    /**
     * The broker's and the coordinator's code is compiled while events pass, and compiling takes a core meanwhile: short
     * steps bring as many events in seconds as the measured ones in minutes.
     */
    private static final int SHORT_WARM_UP_STEPS = 3_000;

    private static final int WARM_UP_STEPS = 40;
    private static final int ROUNDS = 9;
    private static final int STEPS = 30;
    private static final double MILLIS_PER_SECOND = 1e3;

    @Override
    public String name() {
        return "log-overhead";
    }

    @Override
    public String about() {
        return "a step with all its events logged, against one with none";
    }

    @Override
    public Map<String, Double> run(Consumer<String> progress) throws Exception {
        try (var cluster = new TemporaryCluster()) {
            return measure(cluster, progress);
        }
    }

    private static Map<String, Double> measure(TemporaryCluster cluster, Consumer<String> progress) throws Exception {
        var pool = new PoolId("bench");
        Path corpus = LabGpt.corpus(cluster.directory());
        progress.accept("warming up the log");
        var shortSteps = LabGpt.spec(LabGpt.SMALL, "warm-up", pool, corpus, 1, 1, 1, 1, 0);
        try (var warming = new SoloTraining(shortSteps, cluster.directory(), cluster.connection())) {
            warming.millisPerStep(SHORT_WARM_UP_STEPS);
        }
        var spec = LabGpt.spec("bench", pool, corpus, BATCH, BATCH, 1, 0);
        try (var logged = new SoloTraining(spec, cluster.directory(), cluster.connection());
                var silent = new SoloTraining(spec, cluster.directory(), null)) {
            progress.accept("warming up the training");
            logged.millisPerStep(WARM_UP_STEPS);
            silent.millisPerStep(WARM_UP_STEPS);
            List<Double> with = new ArrayList<>();
            List<Double> without = new ArrayList<>();
            List<Double> overheads = new ArrayList<>();
            for (int round = 1; round <= ROUNDS; round++) {
                boolean loggedFirst = round % 2 == 0; // a drift of the machine must not favour one side
                double first = (loggedFirst ? logged : silent).millisPerStep(STEPS);
                double second = (loggedFirst ? silent : logged).millisPerStep(STEPS);
                double on = loggedFirst ? first : second;
                double off = loggedFirst ? second : first;
                with.add(on);
                without.add(off);
                overheads.add((on / off - 1) * 100);
                progress.accept(String.format(
                        Locale.ROOT, "round %d of %d: logged %.1f ms, silent %.1f ms", round, ROUNDS, on, off));
            }
            var figures = new LinkedHashMap<String, Double>();
            figures.put("overheadPercent", Medians.of(overheads));
            figures.put("loggedMsPerStep", Medians.of(with));
            figures.put("silentMsPerStep", Medians.of(without));
            figures.put("stepsPerSecond", MILLIS_PER_SECOND / Medians.of(with));
            return figures;
        }
    }
}
