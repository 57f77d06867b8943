package io.myolotrain.worker.checkpoint;

import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Parameter;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * One whole tensor as GPT-2 stores it, and where each of its elements stands in the flat buffer of a sliced layout.
 *
 * <p>Two things differ from the flat buffer. GPT-2's Conv1D matrices are (in, out), ours (out, in). And a sliced parameter
 * is in T pieces: {@code c_attn} and {@code c_fc} are cut by rows (outputs), the two {@code c_proj} by columns (inputs);
 * a piece of {@code c_attn} holds its slice's queries, keys and values, the whole has all queries before all keys.
 * Names are those of a GPT-2 model with a language-model head, whose head is not tied to the embedding.
 *
 * @param flatIndex from an element's row-major index to its place in the flat buffer
 */
record StitchedTensor(String name, List<Integer> dims, IntUnaryOperator flatIndex) {
    private static final String HEAD = "lm_head.weight";
    private static final String BODY_PREFIX = "transformer.";
    private static final int QUERY_KEY_VALUE = 3;

    static List<StitchedTensor> of(ParameterLayout layout) {
        Map<String, List<Parameter>> pieces = new LinkedHashMap<>();
        for (Parameter parameter : layout.parameters()) {
            pieces.computeIfAbsent(parameter.name(), name -> new ArrayList<>()).add(parameter);
        }
        var tensors = new ArrayList<StitchedTensor>();
        pieces.forEach((name, of) -> tensors.add(stitch(name, of)));
        return List.copyOf(tensors);
    }

    private static StitchedTensor stitch(String name, List<Parameter> pieces) {
        Parameter first = pieces.get(0);
        String fullName = name.equals(HEAD) ? name : BODY_PREFIX + name;
        if (first.cell().slice() == ParameterLayout.UNSLICED) {
            return new StitchedTensor(fullName, first.dims(), i -> first.offset() + i);
        }
        int[] offsets = pieces.stream().mapToInt(Parameter::offset).toArray();
        String kind = name.substring(name.indexOf('.', name.indexOf('.') + 1) + 1); // after "h.<layer>."
        return switch (kind) {
            case "attn.c_attn.weight", "attn.c_attn.bias" -> byRows(fullName, first.dims(), offsets, QUERY_KEY_VALUE);
            case "mlp.c_fc.weight", "mlp.c_fc.bias" -> byRows(fullName, first.dims(), offsets, 1);
            case "attn.c_proj.weight", "mlp.c_proj.weight" -> byColumns(fullName, first.dims(), offsets);
            default -> throw new IllegalArgumentException("no rule to stitch a sliced parameter: name=" + name);
        };
    }

    /** @param blocks the whole has this many blocks of rows, and every piece a part of each */
    private static StitchedTensor byRows(String name, List<Integer> piece, int[] offsets, int blocks) {
        int slices = offsets.length;
        int outs = piece.get(0) * slices;
        int blockRows = outs / blocks;
        int pieceBlockRows = blockRows / slices;
        boolean matrix = piece.size() > 1;
        int ins = matrix ? piece.get(1) : 1;
        IntUnaryOperator flatIndex = i -> {
            int in = i / outs; // (in, out): GPT-2's orientation
            int out = i % outs;
            int row = out % blockRows;
            int pieceRow = (out / blockRows) * pieceBlockRows + row % pieceBlockRows;
            return offsets[row / pieceBlockRows] + pieceRow * ins + in;
        };
        return new StitchedTensor(name, matrix ? List.of(ins, outs) : List.of(outs), flatIndex);
    }

    private static StitchedTensor byColumns(String name, List<Integer> piece, int[] offsets) {
        int outs = piece.get(0);
        int pieceIns = piece.get(1);
        IntUnaryOperator flatIndex = i -> {
            int in = i / outs;
            int out = i % outs;
            return offsets[in / pieceIns] + out * pieceIns + in % pieceIns;
        };
        return new StitchedTensor(name, List.of(pieceIns * offsets.length, outs), flatIndex);
    }

    SafeTensorsWriter.Tensor tensor(FloatBuffer flat) {
        return new SafeTensorsWriter.Tensor(name, dims, (first, chunk) -> {
            int i = Math.toIntExact(first);
            while (chunk.hasRemaining()) {
                chunk.put(flat.get(flatIndex.applyAsInt(i++)));
            }
        });
    }

    SafeTensorsReader.Receiver receiver(FloatBuffer flat) {
        return (first, chunk) -> {
            int i = Math.toIntExact(first);
            while (chunk.hasRemaining()) {
                flat.put(flatIndex.applyAsInt(i++), chunk.get());
            }
        };
    }
}
