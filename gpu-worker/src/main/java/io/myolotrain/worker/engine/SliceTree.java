package io.myolotrain.worker.engine;

import io.myolotrain.core.training.ReductionTree;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Fan-out to tensor slices and the sum of their partial outputs, both along the reduction tree over slices. The fan-out is
 * a tree of identities, so autograd adds the slices' gradients in that same order: each node receives exactly two terms,
 * and the sum of two has the same bits in either order.
 */
final class SliceTree {
    private SliceTree() {}

    static Tensor[] fanOut(Tensor x, int slices) {
        var out = new Tensor[slices];
        fanOut(x, out, 0, slices);
        return out;
    }

    private static void fanOut(Tensor x, Tensor[] out, int first, int end) {
        if (end - first == 1) {
            out[first] = x;
            return;
        }
        int middle = first + ReductionTree.leftLeaves(end - first);
        fanOut(x.view_as(x), out, first, middle);
        fanOut(x.view_as(x), out, middle, end);
    }

    /** Sum in float32, whatever precision the partial outputs have. */
    static Tensor sum(Tensor[] parts) {
        return sum(parts, 0, parts.length);
    }

    private static Tensor sum(Tensor[] parts, int first, int end) {
        if (end - first == 1) {
            return parts[first].to(torch.ScalarType.Float);
        }
        int middle = first + ReductionTree.leftLeaves(end - first);
        return sum(parts, first, middle).add(sum(parts, middle, end));
    }
}
