package io.myolotrain.worker.engine;

import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Parameter;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** A flat float32 tensor and, when asked for, the layout's parameters as views into it. */
final class FlatView implements AutoCloseable {
    private final NativeOwner owner = new NativeOwner();
    private final Tensor flat;
    private List<Tensor> parameters = List.of();

    FlatView(Tensor flat) {
        this.flat = owner.own(flat);
    }

    Tensor flat() {
        return flat;
    }

    /** Views in the layout's order, each of its parameter's dims. */
    List<Tensor> parameters(ParameterLayout layout) {
        if (parameters.isEmpty()) {
            var views = new ArrayList<Tensor>(layout.parameters().size());
            for (Parameter parameter : layout.parameters()) {
                long[] dims = parameter.dims().stream().mapToLong(d -> d).toArray();
                try (Tensor part = flat.narrow(0, parameter.offset(), parameter.size())) {
                    views.add(owner.own(part.view(dims)));
                }
            }
            parameters = List.copyOf(views);
        }
        return parameters;
    }

    @Override
    public void close() {
        owner.close();
    }
}
