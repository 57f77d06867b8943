package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.training.BlockAccumulator;
import io.myolotrain.worker.data.MicroBatches;
import io.myolotrain.worker.data.TokenSource;
import io.myolotrain.worker.engine.Trainer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What this process holds of one attempt of a job: the model, its data and its part of the optimizer's state. Outlives plans;
 * ends when the worker leaves the job. Built by the preparer, then used by the step loop's thread alone.
 */
final class JobSession implements AutoCloseable {
    private static final int CHECKSUM_BLOCK_FLOATS = 16_384;

    private final JobSpec spec;
    private final Trainer trainer;
    private final TokenSource tokens;
    private final MicroBatches batches;
    private final ShardStore shards;
    private final FloatBuffer reduced;
    private final BlockAccumulator accumulator;

    private boolean live;
    private long committedStep;
    private long samples;
    private @Nullable ReducedStep reducedStep;
    private Optional<String> parent = Optional.empty();

    JobSession(JobSpec spec, Trainer trainer, TokenSource tokens, MicroBatches batches) {
        this.spec = spec;
        this.trainer = trainer;
        this.tokens = tokens;
        this.batches = batches;
        this.shards = new ShardStore(trainer.layout().shards());
        this.reduced = gradientBuffer();
        this.accumulator = new BlockAccumulator(this::gradientBuffer);
    }

    /** A gradient with the loss behind it. */
    private FloatBuffer gradientBuffer() {
        return ByteBuffer.allocateDirect(Float.BYTES * (trainer.layout().size() + 1))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    boolean serves(Plan plan) {
        return spec.job().equals(plan.job()) && spec.attempt().equals(plan.attempt());
    }

    JobId job() {
        return spec.job();
    }

    JobSpec spec() {
        return spec;
    }

    Trainer trainer() {
        return trainer;
    }

    MicroBatches batches() {
        return batches;
    }

    TokenSource tokens() {
        return tokens;
    }

    ShardStore shards() {
        return shards;
    }

    /** Sum over the global batch of the last step that was reduced here; see {@link #reducedStep()}. */
    FloatBuffer reduced() {
        return reduced.slice(0, trainer.layout().size());
    }

    /** The same sum with the losses' sum as one more float at the end. */
    FloatBuffer reducedWithLoss() {
        return reduced.duplicate().clear();
    }

    BlockAccumulator accumulator() {
        return accumulator;
    }

    /** Whether the parameters and shards here are those of {@link #committedStep()}. A joiner has nothing yet. */
    boolean live() {
        return live;
    }

    long committedStep() {
        return committedStep;
    }

    /** Samples consumed by all committed steps: the job-wide position of the next step's first sample. */
    long samples() {
        return samples;
    }

    @Nullable ReducedStep reducedStep() {
        return reducedStep;
    }

    /** The reduction of the next step is complete on this rank; it may be committed, here or by a survivor's vote. */
    void holdReduced(ReducedStep step) {
        reducedStep = step;
    }

    void discardReduced() {
        reducedStep = null;
    }

    /** What is held here counts no more: the coordinator has decided to go on from a checkpoint or the seed. */
    void abandon() {
        live = false;
        reducedStep = null;
        shards.clear();
    }

    void restored(long step, long samplesConsumed) {
        live = true;
        committedStep = step;
        samples = samplesConsumed;
        reducedStep = null;
    }

    /** Checkpoint from which this run of the attempt went on, as {@code attempt/step}. */
    Optional<String> parent() {
        return parent;
    }

    void restoredFrom(String checkpoint) {
        parent = Optional.of(checkpoint);
    }

    void committed(ReducedStep step) {
        if (step.step() != committedStep + 1) {
            throw new IllegalStateException(
                    "steps are committed one after the other: committed=" + committedStep + " next=" + step.step());
        }
        committedStep = step.step();
        samples += step.config().globalBatch();
        reducedStep = null;
    }

    /** CRC-32C over the parameters' bits. */
    long parametersChecksum() {
        var crc = new CRC32C();
        FloatBuffer parameters = trainer.parameters().duplicate().clear();
        ByteBuffer block =
                ByteBuffer.allocate(CHECKSUM_BLOCK_FLOATS * Float.BYTES).order(ByteOrder.nativeOrder());
        while (parameters.hasRemaining()) {
            int floats = Math.min(CHECKSUM_BLOCK_FLOATS, parameters.remaining());
            block.clear().limit(floats * Float.BYTES);
            block.asFloatBuffer().put(parameters.slice(parameters.position(), floats));
            parameters.position(parameters.position() + floats);
            crc.update(block);
        }
        return crc.getValue();
    }

    @Override
    public void close() {
        shards.clear();
        trainer.close();
        tokens.close();
    }
}
