package io.myolotrain.worker.data;

import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.training.RandomStreams;
import io.myolotrain.core.training.RandomStreams.Site;
import io.myolotrain.core.training.SampleOrder;
import io.myolotrain.core.training.TokenMasking;
import io.myolotrain.worker.engine.Trainer;

/**
 * The micro-batches of a job: a pure function of seed, position and step, so that every worker reads the same one for the
 * same place of the grid. GPT learns the next token; BERT the tokens behind a mask that is drawn anew at each step.
 */
public final class MicroBatches {
    private static final long VALIDATION_STEP = -1; // masks of validation samples stay the same: losses compare

    private final TokenSource source;
    private final ModelShape model;
    private final int microBatch;
    private final SampleOrder order;
    private final RandomStreams random;
    private final TokenMasking masking;

    public MicroBatches(TokenSource source, JobSpec spec) {
        if (source.vocabulary() != spec.model().vocabulary()) {
            throw new IllegalArgumentException("source and model must have one vocabulary: source="
                    + source.vocabulary() + " model=" + spec.model().vocabulary());
        }
        this.source = source;
        this.model = spec.model();
        this.microBatch = spec.microBatch();
        this.order = new SampleOrder(spec.seed(), source.samples());
        this.random = new RandomStreams(spec.seed());
        // The last token stands for the mask; in byte-level text that is 0xFF, which UTF-8 never contains.
        this.masking = new TokenMasking(model.vocabulary(), model.vocabulary() - 1, Trainer.IGNORED);
    }

    /**
     * @param stepPosition job-wide index of the step's first sample
     * @param index of the micro-batch within the step, {@code [0, M)}
     */
    public MicroBatch at(long step, long stepPosition, int index) {
        long first = stepPosition + (long) index * microBatch;
        var ids = new long[microBatch];
        for (int row = 0; row < microBatch; row++) {
            ids[row] = order.sampleAt(first + row);
        }
        return assemble(ids, source::read, step, index);
    }

    /** Whole micro-batches of held-out samples, at least one. */
    public long validationBatches() {
        return Math.max(1, source.validationSamples() / microBatch);
    }

    /** @param index in {@code [0, validationBatches())}; a corpus with fewer samples than a micro-batch repeats them */
    public MicroBatch validation(int index) {
        if (index < 0 || index >= validationBatches()) {
            throw new IllegalArgumentException(
                    "validation batch must be in [0, " + validationBatches() + "): index=" + index);
        }
        var ids = new long[microBatch];
        for (int row = 0; row < microBatch; row++) {
            ids[row] = ((long) index * microBatch + row) % source.validationSamples();
        }
        return assemble(ids, source::readValidation, VALIDATION_STEP, index);
    }

    private interface SampleReader {
        void read(long sample, int[] out, int offset);
    }

    private MicroBatch assemble(long[] ids, SampleReader reader, long step, int index) {
        int length = model.sequenceLength();
        var tokens = new int[ids.length * length]; // (B, S)
        var targets = new int[ids.length * length]; // (B, S)
        var sample = new int[length + 1];
        for (int row = 0; row < ids.length; row++) {
            reader.read(ids[row], sample, 0);
            int at = row * length;
            System.arraycopy(sample, 0, tokens, at, length);
            switch (model.family()) {
                case GPT -> System.arraycopy(sample, 1, targets, at, length);
                // A mask belongs to no layer: the stream's layer tells the rows of a micro-batch apart.
                case BERT ->
                    masking.apply(random.stream(Site.TOKEN_MASK, step, index, row, 0), tokens, targets, at, length);
            }
        }
        return new MicroBatch(ids, tokens, targets);
    }
}
