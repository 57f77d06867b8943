package io.myolotrain.worker.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.AttentionMap;
import io.myolotrain.core.sampling.Frame;
import io.myolotrain.core.sampling.Histograms;
import io.myolotrain.core.sampling.Matrix;
import io.myolotrain.core.sampling.MetricPattern;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.sampling.SamplingPolicy;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.core.sampling.SamplingRules;
import io.myolotrain.core.sampling.Scalars;
import io.myolotrain.core.sampling.Spans;
import io.myolotrain.worker.data.MicroBatches;
import io.myolotrain.worker.engine.LibTorchTrainer;
import io.myolotrain.worker.readings.Names;
import io.myolotrain.worker.readings.ReadingRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the workers of a job report, with the real model on two ranks. */
class ReadingsTest {
    private static final PoolId POOL = new PoolId("pool");
    private static final long STEPS = 60;

    @TempDir
    Path checkpoints;

    private final List<ToyWorker> workers = new ArrayList<>();

    @AfterEach
    void stopAll() throws InterruptedException {
        for (ToyWorker worker : workers) {
            worker.close();
        }
    }

    private static JobSession open(Plan plan) {
        JobSpec spec = plan.spec();
        var tokens = new ToyTokens(spec.model().sequenceLength());
        return new JobSession(
                spec, new LibTorchTrainer(spec.model(), spec.seed()), tokens, new MicroBatches(tokens, spec));
    }

    private String train(String name, boolean withReadings, ReadingRules rules) throws Exception {
        for (int i = 0; i < 2; i++) {
            workers.add(new ToyWorker(
                    name + i, checkpoints, ReadingsTest::open, withReadings, i == 0 ? rules : new ReadingRules(POOL)));
        }
        var job = new ToyJob(name, checkpoints, STEPS);
        job.plan(workers.subList(workers.size() - 2, workers.size()), List.of());
        return job.awaitFinalHash();
    }

    private static ReadingRules everythingAtEachStep(String job) {
        var rules = new ReadingRules(POOL);
        var own = Stream.of("gradient.histogram", "weight", "attention")
                .map(fragment -> new SamplingRules.Rule(new MetricPattern(fragment), new SamplingPolicy.ByStep(1)))
                .toList();
        rules.follow(
                "e1", POOL, new SamplingRequest.PolicyChange(new JobId(job), new SamplingRules(own), "alice"), false);
        return rules;
    }

    private static void ask(ReadingRules rules, String job, int layer, boolean fresh) {
        rules.follow(
                "e-" + layer, POOL, new SamplingRequest.AttentionRequest(new JobId(job), layer, 1, 3, "alice"), fresh);
    }

    private static List<Frame> frames(ToyWorker worker) {
        return worker.readings().stream()
                .map(Reading::content)
                .filter(Frame.class::isInstance)
                .map(Frame.class::cast)
                .toList();
    }

    private static Set<String> names(ToyWorker worker) {
        return worker.readings().stream()
                .flatMap(r -> r.content() instanceof Scalars scalars
                        ? scalars.values().stream().map(Scalars.Scalar::name)
                        : Stream.of(((Frame) r.content()).name()))
                .collect(Collectors.toSet());
    }

    @Test
    void readingsChangeNoBitOfTheTraining() throws Exception {
        ReadingRules all = everythingAtEachStep("all");
        ask(all, "all", 2, true);
        ask(all, "all", 99, true); // a layer that the model does not have
        ask(all, "other", 0, true);
        ask(all, "all", 1, false); // from before this process

        String with = train("all", true, all);
        String without = train("none", false, new ReadingRules(POOL));

        assertThat(with).isEqualTo(without);
        ToyWorker first = workers.get(0);
        await().atMost(ToyJob.PATIENCE).until(() -> first.readings().stream()
                .anyMatch(r -> r.origin().step() == STEPS && r.content() instanceof Scalars));
        assertThat(frames(first).stream().filter(Histograms.class::isInstance)).hasSize(2 * (int) STEPS);
        assertThat(frames(first).stream().filter(Matrix.class::isInstance)).hasSize(3 * (int) STEPS);
        assertThat(frames(first).stream().filter(AttentionMap.class::isInstance))
                .singleElement()
                .satisfies(f -> {
                    AttentionMap map = (AttentionMap) f;
                    assertThat(map.request()).isEqualTo("e-2");
                    assertThat(List.of(map.layer(), map.head(), map.positions()))
                            .containsExactly(2, 1, 8);
                });
        assertThat(workers.get(2).readings()).isEmpty();
    }

    @Test
    void byDefaultEachStepHasItsValuesAndSpansAndTheModelIsLookedAtNowAndThen() throws Exception {
        train("plain", true, new ReadingRules(POOL));
        ToyWorker first = workers.get(0);
        ToyWorker second = workers.get(1);
        await().atMost(ToyJob.PATIENCE).until(() -> names(first).contains("worker.rss_bytes.rank0"));
        await().atMost(ToyJob.PATIENCE).until(() -> Stream.of(first, second).allMatch(w -> w.readings().stream()
                .anyMatch(r -> r.origin().step() == STEPS && r.content() instanceof Scalars)));

        assertThat(names(first))
                .contains(
                        Names.LOSS,
                        Names.LEARNING_RATE,
                        Names.GRADIENT_NORM,
                        Names.TOKENS_PER_SECOND,
                        Names.SAMPLES,
                        Names.STEP_MICROS,
                        Names.ALL_REDUCE_MICROS,
                        "gradient.norm.layer2",
                        "weight.norm.embedding",
                        "worker.rss_bytes.rank0");
        assertThat(names(second)).contains(Names.STEP_MICROS, Names.SPANS).doesNotContain(Names.LOSS);
        assertThat(steps(first, Names.GRADIENT_HISTOGRAM)).containsExactly(10L, 20L, 30L, 40L, 50L, 60L);
        assertThat(steps(first, Names.WEIGHT_HISTOGRAM)).containsExactly(10L, 20L, 30L, 40L, 50L, 60L);
        assertThat(steps(first, Names.ATTENTION_ENTROPY)).containsExactly(50L);
        assertThat(steps(second, Names.SPANS)).hasSize((int) STEPS);

        Spans spans = frames(first).stream()
                .filter(Spans.class::isInstance)
                .map(Spans.class::cast)
                .skip(5)
                .findFirst()
                .orElseThrow();
        assertThat(spans.spans())
                .extracting(Spans.Span::phase)
                .contains(
                        Spans.Phase.DATA,
                        Spans.Phase.FORWARD,
                        Spans.Phase.BACKWARD,
                        Spans.Phase.ALL_REDUCE,
                        Spans.Phase.COMMIT,
                        Spans.Phase.OPTIMIZER,
                        Spans.Phase.ALL_GATHER);
        assertThat(spans.spans())
                .filteredOn(s -> s.phase() == Spans.Phase.ALL_REDUCE)
                .singleElement()
                .satisfies(
                        s -> assertThat(s.collective().orElseThrow().sequence()).isEqualTo(5));
    }

    private static List<Long> steps(ToyWorker worker, String frame) {
        return worker.readings().stream()
                .filter(r -> r.content() instanceof Frame f && f.name().equals(frame))
                .map(r -> r.origin().step())
                .toList();
    }
}
