package io.myolotrain.cli.job;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import java.nio.file.Path;
import java.util.UUID;
import picocli.CommandLine.Option;

/** Model, optimizer and schedule of a new job. Only what a value can say of itself is checked here; the coordinator judges the rest. */
public final class TrainingOptions {
    private static final String DEFAULT = " (default: ${DEFAULT-VALUE}).";

    @Option(names = "--workers", defaultValue = "2", description = "Data-parallel workers" + DEFAULT)
    private int workers;

    @Option(names = "--batch", defaultValue = "32", description = "Samples of one step" + DEFAULT)
    private int globalBatch;

    @Option(
            names = "--micro-batch",
            defaultValue = "4",
            description = "Samples of one micro-batch, fixed for the job's life" + DEFAULT)
    private int microBatch;

    @Option(names = "--steps", defaultValue = "5000", description = "Steps until the job is complete" + DEFAULT)
    private long maxSteps;

    @Option(names = "--family", defaultValue = "GPT", description = "${COMPLETION-CANDIDATES}" + DEFAULT)
    @SuppressWarnings("NullAway.Init") // set by picocli, as all below
    private ModelShape.Family family;

    @Option(names = "--layers", defaultValue = "4", description = "Transformer blocks" + DEFAULT)
    private int layers;

    @Option(names = "--hidden", defaultValue = "128", description = "Width" + DEFAULT)
    private int hidden;

    @Option(names = "--heads", defaultValue = "4", description = "Attention heads" + DEFAULT)
    private int heads;

    @Option(names = "--seq", defaultValue = "128", description = "Tokens of one sample" + DEFAULT)
    private int sequenceLength;

    @Option(names = "--vocab", defaultValue = "256", description = "Token ids; 256 for bytes of text" + DEFAULT)
    private int vocabulary;

    @Option(names = "--slices", defaultValue = "1", description = "Tensor slices of the model's grid" + DEFAULT)
    private int slices;

    @Option(names = "--dropout", defaultValue = "0", description = "Dropout probability" + DEFAULT)
    private double dropout;

    @Option(names = "--seed", defaultValue = "1", description = "Seeds parameters, sample order and dropout" + DEFAULT)
    private long seed;

    @Option(names = "--lr", defaultValue = "3e-4", description = "Peak learning rate" + DEFAULT)
    private double learningRate;

    @Option(names = "--lr-min", defaultValue = "3e-5", description = "Floor of the cosine schedule" + DEFAULT)
    private double minLearningRate;

    @Option(names = "--schedule", defaultValue = "COSINE", description = "${COMPLETION-CANDIDATES}" + DEFAULT)
    @SuppressWarnings("NullAway.Init")
    private TrainingConfig.Schedule schedule;

    @Option(names = "--warmup", defaultValue = "100", description = "Steps of linear warm-up" + DEFAULT)
    private long warmupSteps;

    @Option(names = "--weight-decay", defaultValue = "0.1", description = "AdamW's weight decay" + DEFAULT)
    private double weightDecay;

    @Option(names = "--beta1", defaultValue = "0.9", description = "AdamW's beta1" + DEFAULT)
    private double beta1;

    @Option(names = "--beta2", defaultValue = "0.95", description = "AdamW's beta2" + DEFAULT)
    private double beta2;

    @Option(names = "--eps", defaultValue = "1e-8", description = "AdamW's epsilon" + DEFAULT)
    private double epsilon;

    @Option(names = "--clip", defaultValue = "1.0", description = "Gradient clipping by global norm, 0 = off" + DEFAULT)
    private double clipNorm;

    @Option(names = "--precision", defaultValue = "FLOAT32", description = "${COMPLETION-CANDIDATES}" + DEFAULT)
    @SuppressWarnings("NullAway.Init")
    private TrainingConfig.Precision precision;

    @Option(
            names = "--checkpoint-every",
            defaultValue = "100",
            description = "Steps between checkpoints, 0 = never" + DEFAULT)
    private long checkpointEverySteps;

    @Option(
            names = "--eval-every",
            defaultValue = "100",
            description = "Steps between validations, 0 = never" + DEFAULT)
    private long evalEverySteps;

    @Option(names = "--transport", defaultValue = "AUTO", description = "${COMPLETION-CANDIDATES}" + DEFAULT)
    @SuppressWarnings("NullAway.Init")
    private JobSpec.Transport transport;

    @Option(names = "--replicas", defaultValue = "2", description = "Owners of each optimizer shard" + DEFAULT)
    private int replicas;

    public JobSpec spec(JobId job, PoolId pool, Path data) {
        try {
            return new JobSpec(
                    job,
                    pool,
                    UUID.randomUUID().toString(),
                    new ModelShape(family, layers, hidden, heads, sequenceLength, vocabulary, slices, dropout),
                    seed,
                    microBatch,
                    data.toString(),
                    transport,
                    replicas,
                    config());
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "Change the option and submit again.");
        }
    }

    private TrainingConfig config() {
        return new TrainingConfig(
                workers,
                globalBatch,
                learningRate,
                minLearningRate,
                schedule,
                warmupSteps,
                maxSteps, // the schedule ends with the job; 'config set JOB schedule.end=…' changes it
                weightDecay,
                beta1,
                beta2,
                epsilon,
                clipNorm,
                precision,
                checkpointEverySteps,
                evalEverySteps,
                maxSteps,
                TrainingConfig.RunState.RUNNING);
    }
}
