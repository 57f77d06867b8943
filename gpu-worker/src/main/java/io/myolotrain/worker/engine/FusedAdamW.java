package io.myolotrain.worker.engine;

import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Shard;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.Function;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * ATen's one-pass AdamW on one shard. A shard is always updated whole, in one call on one thread, so its bits do not depend
 * on who owns it. The kernel has no binding of its own; a TorchScript function reaches it.
 */
final class FusedAdamW implements AutoCloseable {
    // A list made inside the script is dropped by its optimizer together with the in-place update: lists come from
    // outside.
    private static final String SCRIPT = """
        def as_list(t: Tensor) -> List[Tensor]:
            return [t]
        def adamw(p: List[Tensor], g: List[Tensor], m: List[Tensor], v: List[Tensor], step: List[Tensor],
                  lr: float, beta1: float, beta2: float, decay: float, eps: float) -> None:
            torch._fused_adamw_(p, g, m, v, [], step, lr=lr, beta1=beta1, beta2=beta2, weight_decay=decay,
                                eps=eps, amsgrad=False, maximize=False)
        """;

    private final NativeOwner owner = new NativeOwner();
    private final Function asList;
    private final Function adamW;
    private final List<Tensor> parameters = new ArrayList<>();
    private final List<IValue> parameterLists = new ArrayList<>();
    private final Tensor scratch;
    private final Tensor stepValue;
    private final IValue stepList;

    FusedAdamW(ParameterLayout layout, Tensor flatParameters) {
        CompilationUnit unit = owner.own(torch.compile(SCRIPT));
        asList = owner.own(unit.get_function(owner.own(new QualifiedName("as_list"))));
        adamW = owner.own(unit.get_function(owner.own(new QualifiedName("adamw"))));
        for (Shard shard : layout.shards()) {
            Tensor parameter = owner.own(flatParameters.narrow(0, shard.offset(), shard.length()));
            parameters.add(parameter);
            parameterLists.add(owner.own(listOf(parameter)));
        }
        int longest = layout.shards().stream().mapToInt(Shard::length).max().orElseThrow();
        scratch = owner.own(torch.empty(longest));
        stepValue = owner.own(torch.zeros(new long[0]));
        stepList = owner.own(listOf(stepValue));
    }

    /** Must run within a scope. */
    void update(Shard shard, Tensor gradient, double gradientScale, Tensor moments, long step, Trainer.AdamW hyper) {
        long n = shard.length();
        Tensor scaled = scratch.narrow(0, 0, n); // at most 1 MiB: stays in cache between the two passes
        torch.mul_out(scaled, gradient.narrow(0, shard.offset(), n), new Scalar(gradientScale));
        stepValue.fill_(new Scalar((float) step));
        adamW.apply(new IValueVector(
                parameterLists.get(shard.index()),
                listOf(scaled),
                listOf(moments.narrow(0, 0, n)),
                listOf(moments.narrow(0, n, n)),
                stepList,
                new IValue(hyper.learningRate()),
                new IValue(hyper.beta1()),
                new IValue(hyper.beta2()),
                new IValue(hyper.weightDecay()),
                new IValue(hyper.epsilon())));
    }

    private IValue listOf(Tensor tensor) {
        return asList.apply(new IValueVector(new IValue(tensor)));
    }

    @Override
    public void close() {
        owner.close();
    }
}
