package io.myolotrain.core.planning;

import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.TrainingConfig.Schedule;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a configuration may be, and what a running one may become. Names all breaches at once. */
public final class ConfigRules {
    public static final int CHANGES_MAX = 64; // keys in one request
    private static final int SHOWN_VALUES_MAX = 8;

    private ConfigRules() {}

    /**
     * What the rules need to know of the job.
     *
     * @param usableWorkers workers of the pool that are free or of this job, and stay
     */
    public record Situation(JobSpec spec, TrainingConfig current, long committedStep, int usableWorkers) {}

    public sealed interface Result permits Accepted, Refused {}

    public record Accepted(TrainingConfig config) implements Result {}

    public record Refused(List<Refusal> refusals) implements Result {
        public Refused {
            refusals = List.copyOf(refusals);
        }
    }

    /** Applies the changes to the current configuration, all or none. */
    public static Result apply(Situation situation, SortedMap<String, String> changes) {
        if (changes.isEmpty() || changes.size() > CHANGES_MAX) {
            return new Refused(List.of(new Refusal(
                    "a change names 1 to " + CHANGES_MAX + " keys", "keys=" + changes.size(), knownKeys())));
        }
        var refusals = new ArrayList<Refusal>();
        var draft = new ConfigDraft(situation.current());
        var set = new EnumMap<ConfigKey, String>(ConfigKey.class);
        changes.forEach((name, text) -> setOne(name, text, draft, set).ifPresent(refusals::add));
        TrainingConfig config = draft.toConfig();
        refusals.addAll(together(situation.spec(), config));
        refusals.addAll(against(situation, config, set));
        return refusals.isEmpty() ? new Accepted(config) : new Refused(refusals);
    }

    private static Optional<Refusal> setOne(
            String name, String text, ConfigDraft draft, Map<ConfigKey, String> alreadySet) {
        Optional<ConfigKey> key = ConfigKey.find(name);
        if (key.isEmpty()) {
            return Optional.of(new Refusal(
                    "a key must be known",
                    "key=" + Quote.of(name),
                    "did you mean " + NearestName.of(name, ConfigKey.labels()) + "? " + knownKeys()));
        }
        String label = key.get().label();
        String earlier = alreadySet.putIfAbsent(key.get(), name);
        if (earlier != null) {
            return Optional.of(new Refusal(
                    "a key is set once in a change",
                    earlier + " and " + name + " are both " + label,
                    "keep one of them"));
        }
        return key.get().set(draft, text);
    }

    /** Rules among the values of one configuration; hold for a submitted job and after every change. */
    static List<Refusal> together(JobSpec spec, TrainingConfig config) {
        var refusals = new ArrayList<Refusal>();
        int microBatch = spec.microBatch();
        if (config.globalBatch() % microBatch != 0 || config.globalBatch() < microBatch) {
            refusals.add(new Refusal(
                    "batch must be a multiple of the micro-batch",
                    "batch=" + config.globalBatch() + " micro-batch=" + microBatch,
                    "nearest legal values: " + nearestMultiples(config.globalBatch(), microBatch)));
        } else if (config.workers() > config.globalBatch() / microBatch) {
            int microBatches = config.globalBatch() / microBatch;
            refusals.add(new Refusal(
                    "workers must be at most batch ÷ micro-batch, so that each has a micro-batch to compute",
                    "workers=" + config.workers() + " batch=" + config.globalBatch() + " micro-batch=" + microBatch
                            + " micro-batches=" + microBatches,
                    "use workers=" + upTo(microBatches) + ", or batch >= " + (long) config.workers() * microBatch));
        }
        if (config.minLearningRate() > config.learningRate()) {
            refusals.add(new Refusal(
                    "lr.min must be at most lr",
                    "lr.min=" + config.minLearningRate() + " lr=" + config.learningRate(),
                    "set both, for example lr=" + config.learningRate() + " lr.min=" + config.learningRate() / 10));
        }
        if (config.schedule() == Schedule.COSINE && config.warmupSteps() >= config.scheduleEndStep()) {
            refusals.add(new Refusal(
                    "schedule.warmup must be below schedule.end",
                    "schedule.warmup=" + config.warmupSteps() + " schedule.end=" + config.scheduleEndStep(),
                    "set schedule.end above " + config.warmupSteps() + ", or schedule=constant"));
        }
        return refusals;
    }

    /** Rules that only a running job has; a rule is asked only when the change touches it. */
    private static List<Refusal> against(Situation situation, TrainingConfig config, Map<ConfigKey, String> changed) {
        var refusals = new ArrayList<Refusal>();
        long committed = situation.committedStep();
        if (changed.containsKey(ConfigKey.WORKERS) && config.workers() > situation.usableWorkers()) {
            int usable = situation.usableWorkers();
            refusals.add(new Refusal(
                    "workers must be at most the pool's live workers that are free or of this job",
                    "workers=" + config.workers() + " available=" + usable,
                    usable == 0
                            ? "start a worker first"
                            : "use workers=" + upTo(usable) + ", or start " + (config.workers() - usable) + " more"));
        }
        if (changed.containsKey(ConfigKey.STEPS) && config.maxSteps() < committed) {
            refusals.add(new Refusal(
                    "steps must be at least the committed steps",
                    "steps=" + config.maxSteps() + " committed=" + committed,
                    "use steps=" + committed + " to complete now, or a higher number"));
        } else if (changed.containsKey(ConfigKey.STATE)
                && config.runState() == RunState.RUNNING
                && config.maxSteps() <= committed) {
            refusals.add(new Refusal(
                    "a completed job has no step left to run",
                    "state=running steps=" + config.maxSteps() + " committed=" + committed,
                    "raise steps above " + committed));
        }
        return refusals;
    }

    private static String knownKeys() {
        return "keys: " + String.join(", ", ConfigKey.labels());
    }

    private static String nearestMultiples(int value, int unit) {
        long below = Math.max(unit, (long) (value / unit) * unit);
        return below + ", " + (below + unit);
    }

    /** {@code 1, 2, 3} in full when short, else its ends. */
    private static String upTo(int max) {
        return max <= SHOWN_VALUES_MAX
                ? IntStream.rangeClosed(1, max).mapToObj(Integer::toString).collect(Collectors.joining(" or "))
                : "1 to " + max;
    }
}
