package io.myolotrain.core.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.Seeds;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.Precision;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.TrainingConfig.Schedule;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigRulesTest {
    private static final TrainingConfig CONFIG = new TrainingConfig(
            2,
            32,
            1e-3,
            1e-4,
            Schedule.COSINE,
            10,
            1_000,
            0.1,
            0.9,
            0.95,
            1e-8,
            1,
            Precision.FLOAT32,
            10,
            0,
            100,
            RunState.RUNNING);
    private static final JobSpec SPEC = new JobSpec(
            new JobId("job"),
            new PoolId("pool"),
            "attempt",
            new ModelShape(ModelShape.Family.GPT, 4, 128, 4, 128, 256, 1, 0.1),
            1,
            8,
            "data",
            JobSpec.Transport.AUTO,
            2,
            CONFIG);

    private static ConfigRules.Result change(String... keysAndValues) {
        var changes = new TreeMap<String, String>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            changes.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return ConfigRules.apply(new ConfigRules.Situation(SPEC, CONFIG, 50, 3), changes);
    }

    private static TrainingConfig accepted(String... keysAndValues) {
        return ((ConfigRules.Accepted) change(keysAndValues)).config();
    }

    private static List<Refusal> refused(String... keysAndValues) {
        return ((ConfigRules.Refused) change(keysAndValues)).refusals();
    }

    @Test
    void everyKeyChangesItsOwnFieldAndNoOther() {
        assertThat(accepted("workers", "3").workers()).isEqualTo(3);
        assertThat(accepted("batch", "64").globalBatch()).isEqualTo(64);
        assertThat(accepted("globalBatch", "64").globalBatch()).isEqualTo(64);
        assertThat(accepted("lr", "2e-3").learningRate()).isEqualTo(2e-3);
        assertThat(accepted("lr.min", "0").minLearningRate()).isZero();
        assertThat(accepted("schedule", "constant").schedule()).isEqualTo(Schedule.CONSTANT);
        assertThat(accepted("schedule.warmup", "0").warmupSteps()).isZero();
        assertThat(accepted("schedule.end", "77").scheduleEndStep()).isEqualTo(77);
        assertThat(accepted("weight-decay", ".5").weightDecay()).isEqualTo(0.5);
        assertThat(accepted("beta1", "0.8").beta1()).isEqualTo(0.8);
        assertThat(accepted("beta2", "0.8").beta2()).isEqualTo(0.8);
        assertThat(accepted("eps", "1e-6").epsilon()).isEqualTo(1e-6);
        assertThat(accepted("clip", "0").clipNorm()).isZero();
        assertThat(accepted("precision", "BF16").precision()).isEqualTo(Precision.BF16);
        assertThat(accepted("checkpoint.every", "7").checkpointEverySteps()).isEqualTo(7);
        assertThat(accepted("eval.every", "7").evalEverySteps()).isEqualTo(7);
        assertThat(accepted("steps", "50").maxSteps()).isEqualTo(50);
        assertThat(accepted("state", "paused")).isEqualTo(CONFIG.withRunState(RunState.PAUSED));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        workers   | 0       | workers must be an integer in [1, 4096]
        workers   | two     | workers must be an integer in [1, 4096]
        workers   | 2.5     | workers must be an integer in [1, 4096]
        workers   | 99999999999999999999 | workers must be an integer in [1, 4096]
        lr        | NaN     | lr must be a number in (0, 10]
        lr        | 0       | lr must be a number in (0, 10]
        lr        | 1e999   | lr must be a number in (0, 10]
        lr        | 0x1p3   | lr must be a number in (0, 10]
        lr        | 1d      | lr must be a number in (0, 10]
        beta1     | 1       | beta1 must be a number in [0, 1)
        precision | fp8     | precision must be one of float32, bf16
        state     | asleep  | state must be one of running, paused, stopped
        """)
    void aValueOutOfItsRangeIsRefusedByItsRule(String key, String value, String rule) {
        assertThat(refused(key, value)).singleElement().satisfies(refusal -> {
            assertThat(refusal.rule()).isEqualTo(rule);
            assertThat(refusal.value()).isEqualTo(key + "=" + value);
            assertThat(refusal.nextStep()).startsWith("for example " + key + "=");
        });
    }

    @Test
    void anUnknownKeyIsAnsweredWithTheNearestAndAllKeys() {
        Refusal refusal = refused("wrokers", "4").get(0);
        assertThat(refusal.rule()).isEqualTo("a key must be known");
        assertThat(refusal.nextStep()).startsWith("did you mean workers? keys: workers, batch, lr,");
    }

    @Test
    void allRefusalsComeAtOnceAndNothingIsChanged() {
        assertThat(refused("workers", "0", "lr", "-1", "colour", "red"))
                .extracting(Refusal::value)
                .containsExactly("key=colour", "lr=-1", "workers=0");
    }

    @Test
    void aBatchThatTheMicroBatchDoesNotDivideIsAnsweredWithItsNeighbours() {
        assertThat(refused("batch", "30"))
                .containsExactly(new Refusal(
                        "batch must be a multiple of the micro-batch",
                        "batch=30 micro-batch=8",
                        "nearest legal values: 24, 32"));
        assertThat(refused("batch", "3").get(0).nextStep()).isEqualTo("nearest legal values: 8, 16");
    }

    @Test
    void moreWorkersThanMicroBatchesAreRefusedWithBothNumbers() {
        assertThat(refused("workers", "3", "batch", "16"))
                .containsExactly(new Refusal(
                        "workers must be at most batch ÷ micro-batch, so that each has a micro-batch to compute",
                        "workers=3 batch=16 micro-batch=8 micro-batches=2",
                        "use workers=1 or 2, or batch >= 24"));
    }

    @Test
    void moreWorkersThanThePoolHasAreRefusedButOtherKeysStillChange() {
        assertThat(refused("workers", "4"))
                .containsExactly(new Refusal(
                        "workers must be at most the pool's live workers that are free or of this job",
                        "workers=4 available=3",
                        "use workers=1 or 2 or 3, or start 1 more"));
        var short1 = new ConfigRules.Situation(SPEC, CONFIG, 50, 1);
        assertThat(ConfigRules.apply(short1, new TreeMap<>(java.util.Map.of("lr", "0.01"))))
                .isInstanceOf(ConfigRules.Accepted.class);
    }

    @Test
    void stepsBelowTheCommittedOnesAreRefused() {
        assertThat(refused("steps", "49").get(0).value()).isEqualTo("steps=49 committed=50");
    }

    @Test
    void ratesThatCrossAreRefusedTogether() {
        assertThat(refused("lr", "0.00001").get(0).rule()).isEqualTo("lr.min must be at most lr");
        assertThat(accepted("lr", "0.00001", "lr.min", "0").learningRate()).isEqualTo(1e-5);
        assertThat(refused("schedule.warmup", "1000").get(0).rule()).contains("below schedule.end");
    }

    @Test
    void oneKeyUnderTwoNamesIsRefused() {
        assertThat(refused("batch", "64", "globalBatch", "32").get(0).rule())
                .isEqualTo("a key is set once in a change");
    }

    @Test
    void whatAnOutsiderWroteIsQuotedBoundedAndWithoutControlCharacters() {
        String value =
                refused("workers", "\u001b[31m\n" + "9".repeat(10_000)).get(0).value();
        assertThat(value).hasSizeLessThan(100).doesNotContain("\n", "\u001b").endsWith("…");
    }

    /** Whatever is typed: a value or a refusal with all three parts, and what is accepted passes the rules again. */
    @Test
    void anyTextIsAcceptedOrRefusedInFull() {
        String[] texts = {
            "",
            " ",
            "1",
            "4",
            "32",
            "0.5",
            "-1",
            "1e-3",
            "running",
            "bf16",
            "cosine",
            "é",
            "1_000",
            "0b1",
            "٣",
            "9223372036854775808",
            "1e-320",
            "+5",
            "\0",
            "true"
        };
        List<String> keys = ConfigKey.labels();
        for (long seed : Seeds.of(5_000).toArray()) {
            var random = new Random(seed);
            var changes = new TreeMap<String, String>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                String key = random.nextInt(10) == 0
                        ? texts[random.nextInt(texts.length)]
                        : keys.get(random.nextInt(keys.size()));
                changes.put(key, texts[random.nextInt(texts.length)]);
            }
            String run = "seed=" + seed + " changes=" + changes;
            var result = ConfigRules.apply(new ConfigRules.Situation(SPEC, CONFIG, 50, 3), changes);
            if (result instanceof ConfigRules.Accepted ok) {
                assertThat(ConfigRules.together(SPEC, ok.config())).as(run).isEmpty();
                assertThat(JobRules.check(SPEC.pool(), with(ok.config())))
                        .as(run)
                        .isEmpty();
            } else {
                assertThat(((ConfigRules.Refused) result).refusals())
                        .as(run)
                        .isNotEmpty()
                        .allMatch(r -> !r.rule().isBlank()
                                && !r.value().isBlank()
                                && !r.nextStep().isBlank());
            }
        }
    }

    private static JobSpec with(TrainingConfig config) {
        return new JobSpec(
                SPEC.job(),
                SPEC.pool(),
                SPEC.attempt(),
                SPEC.model(),
                SPEC.seed(),
                SPEC.microBatch(),
                SPEC.data(),
                SPEC.transport(),
                SPEC.replicas(),
                config);
    }

    @Test
    void aModelThatWouldNotFitIsRefusedBeforeAnythingIsBuilt() {
        var shape = new ModelShape(ModelShape.Family.GPT, 1_024, 65_536, 65_536, 1 << 20, 65_536, 65_536, 0);
        var spec = new JobSpec(
                SPEC.job(), SPEC.pool(), SPEC.attempt(), shape, 1, 8, "data", JobSpec.Transport.AUTO, 2, CONFIG);
        assertThat(JobRules.check(SPEC.pool(), spec))
                .extracting(Refusal::rule)
                .containsExactly(
                        "layers × (1 + slices) must be at most 65534", "a model has at most 2147483647 parameters");
    }

    @Test
    void aJobOfAnotherPoolOrWithoutDataIsRefused() {
        assertThat(JobRules.check(new PoolId("other"), SPEC).get(0).rule()).contains("pool that it names");
        var noData = new JobSpec(
                SPEC.job(), SPEC.pool(), SPEC.attempt(), SPEC.model(), 1, 8, " ", JobSpec.Transport.AUTO, 2, CONFIG);
        assertThat(JobRules.check(SPEC.pool(), noData).get(0).nextStep()).isEqualTo("give data");
    }
}
