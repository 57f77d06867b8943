package io.myolotrain.core.planning;

import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.model.TrainingConfig;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a submitted job may be, apart from what the pool already runs. */
public final class JobRules {
    /** The flat buffer is one Java and LibTorch index space. */
    public static final long PARAMETERS_MAX = Integer.MAX_VALUE;

    /** Cells of the grid; each is at least one shard and one entry in every plan. */
    public static final int CELLS_MAX = 65_536;

    private static final int TEXT_MAX = 4_096; // characters of a path

    private JobRules() {}

    public static List<Refusal> check(PoolId pool, JobSpec spec) {
        var refusals = new ArrayList<Refusal>();
        if (!spec.pool().equals(pool)) {
            refusals.add(new Refusal(
                    "a job is submitted to the pool that it names",
                    "pool=" + spec.pool() + " submitted to=" + pool,
                    "use the pool's id as the record's key"));
        }
        text("attempt", spec.attempt(), refusals);
        text("data", spec.data(), refusals);
        size(spec.model(), refusals);
        values(spec.initialConfig(), refusals);
        if (refusals.isEmpty()) {
            refusals.addAll(ConfigRules.together(spec, spec.initialConfig()));
        }
        return refusals;
    }

    private static void text(String what, String value, List<Refusal> refusals) {
        if (value.isBlank() || value.length() > TEXT_MAX) {
            refusals.add(new Refusal(
                    what + " must be 1 to " + TEXT_MAX + " characters",
                    what + " has " + value.length() + " characters",
                    "give " + what));
        }
    }

    private static void size(ModelShape model, List<Refusal> refusals) {
        long cells = 2 + (long) model.layers() * (1 + model.slices());
        if (cells > CELLS_MAX) {
            refusals.add(new Refusal(
                    "layers × (1 + slices) must be at most " + (CELLS_MAX - 2),
                    "layers=" + model.layers() + " slices=" + model.slices(),
                    "use fewer slices"));
        }
        BigInteger parameters = parameters(model);
        if (parameters.compareTo(BigInteger.valueOf(PARAMETERS_MAX)) > 0) {
            refusals.add(new Refusal(
                    "a model has at most " + PARAMETERS_MAX + " parameters",
                    "parameters=" + parameters + " layers=" + model.layers() + " hidden=" + model.hidden()
                            + " vocabulary=" + model.vocabulary(),
                    "use fewer layers or a smaller hidden size"));
        }
    }

    /** Upper bound of the layout's size: 12 D² + 13 D per layer, both embeddings, the final norm and the head. */
    private static BigInteger parameters(ModelShape m) {
        BigInteger d = BigInteger.valueOf(m.hidden());
        BigInteger perLayer = d.multiply(d).multiply(BigInteger.valueOf(12)).add(d.multiply(BigInteger.valueOf(13)));
        BigInteger rows = BigInteger.valueOf(2L * m.vocabulary() + m.sequenceLength() + 2);
        return perLayer.multiply(BigInteger.valueOf(m.layers())).add(rows.multiply(d));
    }

    /** The same ranges as for a change, asked by way of the same keys. */
    private static void values(TrainingConfig config, List<Refusal> refusals) {
        var draft = new ConfigDraft(config);
        asTyped(config).forEach((key, text) -> key.set(draft, text).ifPresent(refusals::add));
    }

    private static Map<ConfigKey, String> asTyped(TrainingConfig c) {
        var typed = new EnumMap<ConfigKey, String>(ConfigKey.class);
        typed.put(ConfigKey.WORKERS, Integer.toString(c.workers()));
        typed.put(ConfigKey.BATCH, Integer.toString(c.globalBatch()));
        typed.put(ConfigKey.LR, Double.toString(c.learningRate()));
        typed.put(ConfigKey.LR_MIN, Double.toString(c.minLearningRate()));
        typed.put(ConfigKey.SCHEDULE, c.schedule().name().toLowerCase(Locale.ROOT));
        typed.put(ConfigKey.SCHEDULE_WARMUP, Long.toString(c.warmupSteps()));
        typed.put(ConfigKey.SCHEDULE_END, Long.toString(c.scheduleEndStep()));
        typed.put(ConfigKey.WEIGHT_DECAY, Double.toString(c.weightDecay()));
        typed.put(ConfigKey.BETA1, Double.toString(c.beta1()));
        typed.put(ConfigKey.BETA2, Double.toString(c.beta2()));
        typed.put(ConfigKey.EPS, Double.toString(c.epsilon()));
        typed.put(ConfigKey.CLIP, Double.toString(c.clipNorm()));
        typed.put(ConfigKey.PRECISION, c.precision().name().toLowerCase(Locale.ROOT));
        typed.put(ConfigKey.CHECKPOINT_EVERY, Long.toString(c.checkpointEverySteps()));
        typed.put(ConfigKey.EVAL_EVERY, Long.toString(c.evalEverySteps()));
        typed.put(ConfigKey.STEPS, Long.toString(c.maxSteps()));
        typed.put(ConfigKey.STATE, c.runState().name().toLowerCase(Locale.ROOT));
        return typed;
    }
}
