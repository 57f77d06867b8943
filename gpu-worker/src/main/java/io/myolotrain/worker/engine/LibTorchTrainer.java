package io.myolotrain.worker.engine;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.TrainingConfig.Precision;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Shard;
import io.myolotrain.core.training.RandomStreams;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AbstractTensor;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The transformer on LibTorch, CPU. Parameters are one flat buffer; backward adds straight into the caller's gradient
 * buffer, without a copy in between. Each call frees what it made.
 *
 * <p>Join the thread that uses it before the process exits: exit runs LibTorch's static destructors, and a thread that is
 * still inside a backward pass then takes the process down with SIGSEGV.
 */
public final class LibTorchTrainer implements Trainer, AttentionProbe {
    private final ModelShape shape;
    private final ParameterLayout layout;
    private final RandomStreams streams;
    private final Weights weights;
    private final Operators operators;
    private final Embedding embedding;
    private final List<Block> blocks = new ArrayList<>();
    private final Head head;
    private final FusedAdamW optimizer;
    private final NativeViews views = new NativeViews();
    private Precision precision = Precision.FLOAT32;
    private long backwardStartedNanos;

    /** Loads the native libraries when needed; parameters are zero until {@link #initialise} or a checkpoint fills them. */
    public LibTorchTrainer(ModelShape shape, long seed) {
        NativeLibraries.load();
        this.shape = shape;
        layout = ParameterLayout.of(shape);
        streams = new RandomStreams(seed);
        try (var scope = new PointerScope()) {
            weights = new Weights(layout);
            operators = new Operators(shape);
            embedding = new Embedding(weights);
            for (int layer = 0; layer < shape.layers(); layer++) {
                blocks.add(new Block(shape, layer, weights, operators));
            }
            head = new Head(shape, weights, operators);
            optimizer = new FusedAdamW(layout, weights.flat());
        }
    }

    @Override
    public ParameterLayout layout() {
        return layout;
    }

    @Override
    public FloatBuffer parameters() {
        return weights.buffer().duplicate();
    }

    @Override
    public void initialise() {
        weights.initialise(streams);
    }

    @Override
    public float gradient(long step, int microBatch, int[] tokens, int[] targets, FloatBuffer gradient) {
        requireFlat(gradient);
        try (var scope = new PointerScope()) {
            FlatView into = views.of(gradient);
            weights.attach(into);
            into.flat().zero_();
            Tensor loss = loss(tokens, targets, Dropout.of(streams, shape.dropout(), step, microBatch));
            backwardStartedNanos = System.nanoTime();
            loss.backward();
            return loss.item_float();
        }
    }

    @Override
    public long backwardStartedNanos() {
        return backwardStartedNanos;
    }

    @Override
    public Optional<AttentionProbe> attentionProbe() {
        return Optional.of(this);
    }

    @Override
    public Activity activity(int[] tokens) {
        return observed(tokens, ObservedAttention.ofAllHeads(operators, shape)).activity();
    }

    @Override
    public float[] attention(int[] tokens, int layer, int head) {
        if (layer < 0 || layer >= shape.layers() || head < 0 || head >= shape.heads()) {
            throw new IllegalArgumentException("layer and head must be the model's: layer=" + layer + " head=" + head
                    + " layers=" + shape.layers() + " heads=" + shape.heads());
        }
        return observed(tokens, ObservedAttention.ofOneHead(operators, shape, layer, head))
                .weights();
    }

    private ObservedAttention observed(int[] tokens, ObservedAttention observer) {
        if (tokens.length != shape.sequenceLength()) {
            throw new IllegalArgumentException("a probe looks at one sequence: tokens=" + tokens.length
                    + " sequenceLength=" + shape.sequenceLength());
        }
        try (var scope = new PointerScope();
                var noGrad = new NoGradGuard()) {
            Tensor x = AbstractTensor.create(checkedTokens(tokens), 1, shape.sequenceLength());
            embeddingToBlocks(x, observer);
            return observer;
        }
    }

    /** Without the head: nobody looks at the scores. */
    private void embeddingToBlocks(Tensor tokens, ObservedAttention observer) {
        Tensor x = embedding.forward(tokens, Dropout.NONE);
        for (Block block : blocks) {
            x = block.forward(x, Dropout.NONE, observer);
        }
    }

    @Override
    public float evaluate(int[] tokens, int[] targets) {
        try (var scope = new PointerScope();
                var noGrad = new NoGradGuard()) {
            return loss(tokens, targets, Dropout.NONE).item_float();
        }
    }

    private Tensor loss(int[] tokens, int[] targets, Dropout dropout) {
        long batch = batchOf(tokens, targets);
        Tensor x = AbstractTensor.create(checkedTokens(tokens), batch, shape.sequenceLength());
        Tensor y = AbstractTensor.create(checkedTargets(targets), targets.length);
        Tensor scores = precision == Precision.BF16 ? autocast(x, dropout) : scores(x, dropout, AttentionKernel.FUSED);
        return operators.crossEntropy(
                scores.to(torch.ScalarType.Float).view(-1, shape.vocabulary()), y); // (B·S, V) against (B·S)
    }

    /** @param tokens (B, S); result (B, S, V) */
    private Tensor scores(Tensor tokens, Dropout dropout, AttentionKernel kernel) {
        return scores(tokens, dropout, (slice, input) -> slice.attend(input, kernel));
    }

    private Tensor scores(Tensor tokens, Dropout dropout, BiFunction<BlockSlice, Tensor, Tensor> attention) {
        Tensor x = embedding.forward(tokens, dropout);
        for (Block block : blocks) {
            x = block.forward(x, dropout, attention);
        }
        return head.forward(x);
    }

    private Tensor autocast(Tensor tokens, Dropout dropout) {
        torch.set_autocast_dtype(torch.DeviceType.CPU, torch.ScalarType.BFloat16);
        torch.set_autocast_enabled(torch.DeviceType.CPU, true);
        try {
            return scores(tokens, dropout, AttentionKernel.EXPLICIT);
        } finally {
            torch.set_autocast_enabled(torch.DeviceType.CPU, false);
            torch.clear_cache(); // the cast copies of this step's weights
        }
    }

    @Override
    public double squaredNorm(Shard shard, FloatBuffer gradient) {
        requireFlat(gradient);
        return SquaredNorm.of(gradient, shard.offset(), shard.length());
    }

    @Override
    public void adamW(
            Shard shard, FloatBuffer gradient, double gradientScale, FloatBuffer moments, long step, AdamW hyper) {
        requireFlat(gradient);
        if (!layout.shards().get(shard.index()).equals(shard) || moments.limit() != 2 * shard.length() || step < 1) {
            throw new IllegalArgumentException("an update needs a shard of the layout, two moments of its length and a"
                    + " step >= 1: shard=" + shard + " moments=" + moments.limit() + " step=" + step);
        }
        try (var scope = new PointerScope();
                var noGrad = new NoGradGuard()) {
            Tensor from = views.of(gradient).flat();
            optimizer.update(shard, from, gradientScale, views.of(moments).flat(), step, hyper);
        }
    }

    @Override
    public void precision(Precision precision) {
        this.precision = precision;
    }

    private long batchOf(int[] tokens, int[] targets) {
        int s = shape.sequenceLength();
        if (tokens.length == 0 || tokens.length % s != 0 || targets.length != tokens.length) {
            throw new IllegalArgumentException("tokens and targets must be (B, S): sequenceLength=" + s + " tokens="
                    + tokens.length + " targets=" + targets.length);
        }
        return tokens.length / s;
    }

    private long[] checkedTokens(int[] tokens) {
        var wide = new long[tokens.length];
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] < 0 || tokens[i] >= shape.vocabulary()) {
                throw new IllegalArgumentException("tokens must be below the vocabulary: token=" + tokens[i]
                        + " vocabulary=" + shape.vocabulary());
            }
            wide[i] = tokens[i];
        }
        return wide;
    }

    private long[] checkedTargets(int[] targets) {
        var wide = new long[targets.length];
        int counted = 0;
        for (int i = 0; i < targets.length; i++) {
            int target = targets[i];
            if (target != IGNORED && (target < 0 || target >= shape.vocabulary())) {
                throw new IllegalArgumentException("targets must be below the vocabulary, or " + IGNORED + ": target="
                        + target + " vocabulary=" + shape.vocabulary());
            }
            counted += target == IGNORED ? 0 : 1;
            wide[i] = target;
        }
        if (counted == 0) {
            throw new IllegalArgumentException("a micro-batch needs at least one target that is not ignored");
        }
        return wide;
    }

    private void requireFlat(FloatBuffer gradient) {
        if (gradient.limit() != layout.size()) {
            throw new IllegalArgumentException(
                    "a gradient holds one float per parameter: floats=" + gradient.limit() + " size=" + layout.size());
        }
    }

    @Override
    public void close() {
        views.close();
        optimizer.close();
        operators.close();
        weights.close();
    }
}
