package io.myolotrain.worker.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Parameter;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StitchedTensorTest {
    private static final int D = 16;
    private static final int LAYERS = 2;
    private static final int VOCABULARY = 256;
    private static final int SEQUENCE = 8;

    private static ParameterLayout layout(int slices) {
        return ParameterLayout.of(SavedWorld.shape(ModelShape.Family.GPT, slices));
    }

    /** As GPT2LMHeadModel with an untied head lists them; Conv1D weights are (in, out). */
    private static Map<String, List<Integer>> gpt2() {
        var expected = new LinkedHashMap<String, List<Integer>>();
        expected.put("transformer.wte.weight", List.of(VOCABULARY, D));
        expected.put("transformer.wpe.weight", List.of(SEQUENCE, D));
        for (int layer = 0; layer < LAYERS; layer++) {
            String h = "transformer.h." + layer + ".";
            expected.put(h + "ln_1.weight", List.of(D));
            expected.put(h + "ln_1.bias", List.of(D));
            expected.put(h + "attn.c_attn.weight", List.of(D, 3 * D));
            expected.put(h + "attn.c_attn.bias", List.of(3 * D));
            expected.put(h + "attn.c_proj.weight", List.of(D, D));
            expected.put(h + "attn.c_proj.bias", List.of(D));
            expected.put(h + "ln_2.weight", List.of(D));
            expected.put(h + "ln_2.bias", List.of(D));
            expected.put(h + "mlp.c_fc.weight", List.of(D, 4 * D));
            expected.put(h + "mlp.c_fc.bias", List.of(4 * D));
            expected.put(h + "mlp.c_proj.weight", List.of(4 * D, D));
            expected.put(h + "mlp.c_proj.bias", List.of(D));
        }
        expected.put("transformer.ln_f.weight", List.of(D));
        expected.put("transformer.ln_f.bias", List.of(D));
        expected.put("lm_head.weight", List.of(VOCABULARY, D));
        return expected;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void names_and_shapes_are_gpt2s_whatever_the_slices(int slices) {
        var actual = new LinkedHashMap<String, List<Integer>>();
        StitchedTensor.of(layout(slices)).forEach(tensor -> actual.put(tensor.name(), tensor.dims()));
        assertThat(actual).containsExactlyInAnyOrderEntriesOf(gpt2());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void every_float_of_the_flat_buffer_is_in_exactly_one_tensor(int slices) {
        ParameterLayout layout = layout(slices);
        var seen = new TreeSet<Integer>();
        for (StitchedTensor tensor : StitchedTensor.of(layout)) {
            int size = tensor.dims().stream().reduce(1, Math::multiplyExact);
            for (int i = 0; i < size; i++) {
                assertThat(seen.add(tensor.flatIndex().applyAsInt(i)))
                        .as(tensor.name() + " " + i)
                        .isTrue();
            }
        }
        assertThat(seen).hasSize(layout.size());
        assertThat(seen.first()).isZero();
        assertThat(seen.last()).isEqualTo(layout.size() - 1);
    }

    /** The oracle goes the other way: it cuts whole matrices into slices as the layout's documentation says. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void slices_cut_from_whole_matrices_are_stitched_to_the_same_matrices(int slices) {
        ParameterLayout layout = layout(slices);
        FloatBuffer flat = FloatBuffer.allocate(layout.size());
        for (Parameter parameter : layout.parameters()) {
            for (int i = 0; i < parameter.size(); i++) {
                int ins = parameter.dims().size() > 1 ? parameter.dims().get(1) : 1;
                flat.put(parameter.offset() + i, whole(parameter, i / ins, i % ins, slices));
            }
        }
        List<String> checked = new ArrayList<>();
        for (StitchedTensor tensor : StitchedTensor.of(layout)) {
            boolean transposed = tensor.name().contains(".c_") && tensor.name().endsWith(".weight");
            int columns = tensor.dims().size() > 1 ? tensor.dims().get(1) : 1;
            FloatBuffer values = FloatBuffer.allocate(tensor.dims().stream().reduce(1, Math::multiplyExact));
            tensor.tensor(flat).values().copyTo(0, values);
            for (int i = 0; i < values.capacity(); i++) {
                int row = i / columns;
                int column = i % columns;
                float expected = transposed ? value(column, row) : value(row, column);
                assertThat(values.get(i))
                        .as(tensor.name() + " [" + row + "," + column + "]")
                        .isEqualTo(expected);
            }
            checked.add(tensor.name());
        }
        assertThat(checked).hasSize(gpt2().size());
    }

    private static float value(int out, int in) {
        return out * 1_000f + in;
    }

    /** Value of a slice's element, by where it stands in the whole (out, in) matrix. */
    private static float whole(Parameter parameter, int row, int column, int slices) {
        int slice = parameter.cell().slice();
        int head = D / slices;
        String name = parameter.name();
        if (name.contains("attn.c_attn")) {
            int queryKeyOrValue = row / head;
            return value(queryKeyOrValue * D + slice * head + row % head, column);
        }
        if (name.contains("mlp.c_fc")) {
            return value(slice * 4 * head + row, column);
        }
        if (name.endsWith("attn.c_proj.weight")) {
            return value(row, slice * head + column);
        }
        if (name.endsWith("mlp.c_proj.weight")) {
            return value(row, slice * 4 * head + column);
        }
        return value(row, column);
    }

    @Test
    void scattering_undoes_gathering() {
        ParameterLayout layout = layout(4);
        FloatBuffer flat = FloatBuffer.allocate(layout.size());
        for (int i = 0; i < layout.size(); i++) {
            flat.put(i, i);
        }
        FloatBuffer back = FloatBuffer.allocate(layout.size());
        for (StitchedTensor tensor : StitchedTensor.of(layout)) {
            FloatBuffer values = FloatBuffer.allocate(tensor.dims().stream().reduce(1, Math::multiplyExact));
            tensor.tensor(flat).values().copyTo(0, values);
            tensor.receiver(back).accept(0, values.flip());
        }
        assertThat(back).isEqualTo(flat);
    }
}
