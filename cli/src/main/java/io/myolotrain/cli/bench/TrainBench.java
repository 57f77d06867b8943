package io.myolotrain.cli.bench;

import io.myolotrain.core.model.PoolId;
import io.myolotrain.worker.data.MicroBatch;
import io.myolotrain.worker.data.MicroBatches;
import io.myolotrain.worker.data.TokenSources;
import io.myolotrain.worker.engine.bench.RawLibTorchLoop;
import io.myolotrain.worker.runtime.SoloTraining;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** What the step loop costs over a plain LibTorch loop of the same model, in one process, turn by turn. */
final class TrainBench implements Bench {
    private static final int WARM_UP_STEPS = 30;
    private static final int ROUNDS = 9;
    private static final int STEPS = 20;

    @Override
    public String name() {
        return "train";
    }

    @Override
    public String about() {
        return "a step of a small GPT through the step loop, against a plain LibTorch loop";
    }

    @Override
    public Map<String, Double> run(Consumer<String> progress) throws Exception {
        try (Scratch scratch = Scratch.create()) {
            var spec = LabGpt.spec(
                    "bench", new PoolId("bench"), LabGpt.corpus(scratch.directory()), LabGpt.BATCH, LabGpt.BATCH, 1, 0);
            var tokens = TokenSources.open(spec.data(), LabGpt.SHAPE.sequenceLength(), LabGpt.SHAPE.vocabulary());
            try (tokens;
                    var raw = new RawLibTorchLoop(
                            LabGpt.SHAPE, LabGpt.BATCH, LabGpt.SEED, LabGpt.LEARNING_RATE, LabGpt.WEIGHT_DECAY);
                    var solo = new SoloTraining(spec, scratch.directory(), null)) {
                var batches = new MicroBatches(tokens, spec);
                progress.accept("warming up");
                rawMillisPerStep(raw, batches, WARM_UP_STEPS);
                solo.millisPerStep(WARM_UP_STEPS);
                List<Double> ours = new ArrayList<>();
                List<Double> plain = new ArrayList<>();
                List<Double> ratios = new ArrayList<>();
                for (int round = 1; round <= ROUNDS; round++) {
                    plain.add(rawMillisPerStep(raw, batches, STEPS));
                    ours.add(solo.millisPerStep(STEPS));
                    ratios.add(ours.get(round - 1) / plain.get(round - 1));
                    progress.accept(String.format(
                            Locale.ROOT,
                            "round %d of %d: step loop %.1f ms, plain loop %.1f ms",
                            round,
                            ROUNDS,
                            ours.get(round - 1),
                            plain.get(round - 1)));
                }
                var figures = new LinkedHashMap<String, Double>();
                figures.put("msPerStep", Medians.of(ours));
                figures.put("rawLibTorchMsPerStep", Medians.of(plain));
                figures.put("ratio", Medians.of(ratios));
                return figures;
            }
        }
    }

    private static double rawMillisPerStep(RawLibTorchLoop raw, MicroBatches batches, int steps) {
        long started = System.nanoTime();
        for (int step = 0; step < steps; step++) {
            MicroBatch batch = batches.at(step + 1, (long) step * LabGpt.BATCH, 0);
            raw.step(batch.tokens(), batch.targets());
        }
        return (System.nanoTime() - started) / 1e6 / steps;
    }
}
