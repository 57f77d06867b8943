package io.myolotrain.worker.engine;

import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Cell;
import io.myolotrain.core.training.ParameterLayout.Init;
import io.myolotrain.core.training.ParameterLayout.Parameter;
import io.myolotrain.core.training.RandomStreams;
import io.myolotrain.core.training.RandomStreams.Site;
import io.myolotrain.core.training.RandomStreams.Stream;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * The parameters: one flat buffer laid out by {@link ParameterLayout}, and an autograd leaf per parameter that aliases its
 * part. Gradients accumulate straight into whatever flat buffer is attached.
 */
final class Weights implements AutoCloseable {
    private static final double STANDARD_DEVIATION = 0.02; // GPT-2

    private final NativeOwner owner = new NativeOwner();
    private final ParameterLayout layout;
    private final FlatView values;
    private final FloatBuffer buffer;
    private final List<Tensor> leaves = new ArrayList<>();
    private final Map<Cell, Map<String, Tensor>> byCell = new HashMap<>();
    private @Nullable FlatView attached;

    Weights(ParameterLayout layout) {
        this.layout = layout;
        values = new FlatView(torch.zeros(layout.size()));
        buffer = values.flat().data_ptr_float().capacity(layout.size()).asBuffer();
        List<Tensor> views = values.parameters(layout);
        for (int i = 0; i < views.size(); i++) {
            Parameter parameter = layout.parameters().get(i);
            Tensor leaf = owner.own(torch.empty(0));
            leaf.set_requires_grad(true);
            leaf.set_data(views.get(i));
            leaves.add(leaf);
            byCell.computeIfAbsent(parameter.cell(), c -> new HashMap<>()).put(localName(parameter.name()), leaf);
        }
    }

    /** {@code h.3.attn.c_proj.bias} is {@code attn.c_proj.bias} within its cell. */
    private static String localName(String name) {
        return name.startsWith("h.") ? name.substring(name.indexOf('.', 2) + 1) : name;
    }

    FloatBuffer buffer() {
        return buffer;
    }

    Tensor flat() {
        return values.flat();
    }

    Tensor get(Cell cell, String name) {
        Tensor leaf = byCell.getOrDefault(cell, Map.of()).get(name);
        if (leaf == null) {
            throw new IllegalArgumentException("the layout holds no such parameter: cell=" + cell + " name=" + name);
        }
        return leaf;
    }

    TensorOptional optional(Cell cell, String name) {
        return owner.own(new TensorOptional(get(cell, name)));
    }

    void initialise(RandomStreams streams) {
        for (Parameter parameter : layout.parameters()) {
            Cell cell = parameter.cell();
            Stream stream = streams.stream(Site.INITIAL_VALUE, 0, 0, cell.layer(), cell.slice());
            for (int at = parameter.offset(); at < parameter.offset() + parameter.size(); at++) {
                buffer.put(at, initialValue(parameter.init(), stream, at));
            }
        }
    }

    private static float initialValue(Init init, Stream stream, int at) {
        return switch (init) {
            case NORMAL -> (float) (STANDARD_DEVIATION * stream.gaussian(at));
            case ZERO -> 0;
            case ONE -> 1;
        };
    }

    /** Makes backward add into {@code gradient}. */
    void attach(FlatView gradient) {
        if (attached == gradient) {
            return;
        }
        List<Tensor> views = gradient.parameters(layout);
        for (int i = 0; i < leaves.size(); i++) {
            try (Tensor slot = leaves.get(i).mutable_grad()) {
                slot.put(views.get(i));
            }
        }
        attached = gradient;
    }

    @Override
    public void close() {
        owner.close();
        values.close();
    }
}
