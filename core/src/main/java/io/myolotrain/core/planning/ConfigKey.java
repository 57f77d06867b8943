package io.myolotrain.core.planning;

import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.model.TrainingConfig.Precision;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.TrainingConfig.Schedule;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Every key that may change while a job runs: its name for people, its other names, its legal values. A key judges its
 * value alone; {@link ConfigRules} judges them together.
 */
@SuppressWarnings("ImmutableEnumChecker") // lists are List.of, settings are records of pure functions
public enum ConfigKey {
    WORKERS("workers", List.of(), ConfigValue.integer(1, 4_096), (c, v) -> c.workers = (int) (long) v),
    BATCH(
            "batch",
            List.of("globalBatch", "global-batch"),
            ConfigValue.integer(1, 1 << 24),
            (c, v) -> c.globalBatch = (int) (long) v),
    LR("lr", List.of("learningRate", "learning-rate"), ConfigValue.above(0, 10), (c, v) -> c.learningRate = v),
    LR_MIN("lr.min", List.of("minLearningRate"), ConfigValue.decimal(0, 10), (c, v) -> c.minLearningRate = v),
    SCHEDULE("schedule", List.of(), ConfigValue.oneOf(Schedule.values()), (c, v) -> c.schedule = v),
    SCHEDULE_WARMUP(
            "schedule.warmup",
            List.of("warmup", "warmupSteps"),
            ConfigValue.integer(0, ConfigValue.STEPS_MAX),
            (c, v) -> c.warmupSteps = v),
    SCHEDULE_END(
            "schedule.end",
            List.of("scheduleEndStep"),
            ConfigValue.integer(1, ConfigValue.STEPS_MAX),
            (c, v) -> c.scheduleEndStep = v),
    WEIGHT_DECAY("weight-decay", List.of("weightDecay"), ConfigValue.decimal(0, 1), (c, v) -> c.weightDecay = v),
    BETA1("beta1", List.of(), ConfigValue.below(0, 1), (c, v) -> c.beta1 = v),
    BETA2("beta2", List.of(), ConfigValue.below(0, 1), (c, v) -> c.beta2 = v),
    EPS("eps", List.of("epsilon"), ConfigValue.above(0, 1), (c, v) -> c.epsilon = v),
    CLIP("clip", List.of("clipNorm"), ConfigValue.decimal(0, 1e6), (c, v) -> c.clipNorm = v),
    PRECISION("precision", List.of(), ConfigValue.oneOf(Precision.values()), (c, v) -> c.precision = v),
    CHECKPOINT_EVERY(
            "checkpoint.every",
            List.of("checkpointEverySteps"),
            ConfigValue.integer(0, ConfigValue.STEPS_MAX),
            (c, v) -> c.checkpointEverySteps = v),
    EVAL_EVERY(
            "eval.every",
            List.of("evalEverySteps"),
            ConfigValue.integer(0, ConfigValue.STEPS_MAX),
            (c, v) -> c.evalEverySteps = v),
    STEPS("steps", List.of("maxSteps"), ConfigValue.integer(1, ConfigValue.STEPS_MAX), (c, v) -> c.maxSteps = v),
    STATE("state", List.of("runState"), ConfigValue.oneOf(RunState.values()), (c, v) -> c.runState = v);

    private final String label;
    private final List<String> aliases;
    private final Setting<?> setting;

    <T> ConfigKey(String label, List<String> aliases, ConfigValue<T> value, ConfigDraft.Setter<T> setter) {
        this.label = label;
        this.aliases = aliases;
        this.setting = new Setting<>(value, setter);
    }

    /** The name that people type. */
    public String label() {
        return label;
    }

    public List<String> aliases() {
        return aliases;
    }

    /** Legal values in words, for example {@code an integer in [1, 4096]}. */
    public String legalValues() {
        return setting.value.legal();
    }

    public static Optional<ConfigKey> find(String name) {
        return Arrays.stream(values())
                .filter(key -> key.label.equals(name) || key.aliases.contains(name))
                .findFirst();
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(ConfigKey::label).toList();
    }

    /** Sets the value in the draft, or says why it cannot be. */
    Optional<Refusal> set(ConfigDraft draft, String text) {
        return setting.set(label, draft, text);
    }

    /** Pairs the type of a value with the field that takes it. */
    private record Setting<T>(ConfigValue<T> value, ConfigDraft.Setter<T> setter) {
        Optional<Refusal> set(String label, ConfigDraft draft, String text) {
            Optional<T> parsed = value.parse(text);
            if (parsed.isEmpty()) {
                return Optional.of(new Refusal(
                        label + " must be " + value.legal(),
                        label + "=" + Quote.of(text),
                        "for example " + label + "=" + value.example()));
            }
            setter.set(draft, parsed.get());
            return Optional.empty();
        }
    }
}
