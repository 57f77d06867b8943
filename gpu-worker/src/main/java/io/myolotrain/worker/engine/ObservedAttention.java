package io.myolotrain.worker.engine;

import io.myolotrain.core.model.ModelShape;
import java.util.function.BiFunction;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** What a probe takes out of each slice's attention; must run within a scope. */
final class ObservedAttention implements BiFunction<BlockSlice, Tensor, Tensor> {
    private static final long[] LAST = {-1};

    private final Operators operators;
    private final int headsPerSlice;
    private final AttentionProbe.Activity activity;
    private final int wantedLayer;
    private final int wantedHead;
    private float[] weights = {};

    private ObservedAttention(Operators operators, ModelShape shape, int wantedLayer, int wantedHead) {
        this.operators = operators;
        this.headsPerSlice = shape.heads() / shape.slices();
        this.wantedLayer = wantedLayer;
        this.wantedHead = wantedHead;
        int size = shape.layers() * shape.heads();
        this.activity = new AttentionProbe.Activity(
                shape.layers(), shape.heads(), new float[size], new float[size], new float[size]);
    }

    static ObservedAttention ofAllHeads(Operators operators, ModelShape shape) {
        return new ObservedAttention(operators, shape, -1, -1);
    }

    static ObservedAttention ofOneHead(Operators operators, ModelShape shape, int layer, int head) {
        return new ObservedAttention(operators, shape, layer, head);
    }

    AttentionProbe.Activity activity() {
        return activity;
    }

    float[] weights() {
        return weights;
    }

    @Override
    public Tensor apply(BlockSlice slice, Tensor input) {
        return slice.attend(input, (q, k, v) -> {
            Tensor looks = operators.attentionWeights(q, k); // (1, heads, S, S)
            Tensor y = torch.matmul(looks, v); // (1, heads, S, d)
            int layer = slice.cell().layer();
            int firstHead = slice.cell().slice() * headsPerSlice;
            if (wantedLayer < 0) {
                int at = layer * activity.heads() + firstHead;
                copy(torch.special_entr(looks).sum(LAST).mean(LAST), activity.entropy(), at);
                copy(looks.amax(LAST, false).mean(LAST), activity.largestWeight(), at);
                copy(y.square().sum(LAST).sqrt().mean(LAST), activity.outputNorm(), at);
            } else if (layer == wantedLayer && wantedHead >= firstHead && wantedHead < firstHead + headsPerSlice) {
                Tensor one = looks.select(1, wantedHead - firstHead);
                weights = new float[Math.toIntExact(one.numel())];
                copy(one, weights, 0);
            }
            return y;
        });
    }

    private static void copy(Tensor from, float[] into, int at) {
        Tensor dense = from.contiguous();
        dense.data_ptr_float().get(into, at, Math.toIntExact(dense.numel()));
    }
}
