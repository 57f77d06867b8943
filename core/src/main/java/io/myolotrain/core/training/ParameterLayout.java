package io.myolotrain.core.training;

import io.myolotrain.core.model.ModelShape;
import java.util.ArrayList;
import java.util.List;

/**
 * Where each parameter stands in the flat float32 buffer, cell after cell, and how the buffer is cut into shards. A
 * function of the model's shape alone, so that every process and every plan agrees on it.
 *
 * <p>Names are GPT-2's. Matrices are (out, in). A sliced parameter appears once per slice: slice {@code s} holds heads
 * {@code [s·H/T, (s+1)·H/T)} and MLP columns {@code [s·4D/T, (s+1)·4D/T)}; its rows of {@code c_attn} are the slice's
 * queries, then keys, then values.
 */
public record ParameterLayout(ModelShape shape, List<Parameter> parameters, List<Shard> shards, int size) {
    /** 1 MiB of float32. */
    public static final int SHARD_FLOATS_MAX = 262_144;

    public static final int UNSLICED = -1;
    public static final int EMBEDDING_LAYER = -1;

    public enum Init {
        /** Normal with standard deviation 0.02. */
        NORMAL,
        ZERO,
        ONE
    }

    /** The unit that has an owner: a layer's slice, or its unsliced part. The head is layer L. */
    public record Cell(int layer, int slice) {}

    /** @param offset first float in the flat buffer */
    public record Parameter(String name, Cell cell, List<Integer> dims, int offset, Init init) {
        public int size() {
            return dims.stream().reduce(1, Math::multiplyExact);
        }
    }

    /** A piece of one cell, at most {@link #SHARD_FLOATS_MAX} long: what the optimizer's owners own. */
    public record Shard(int index, int offset, int length) {
        /** Bytes of both Adam moments. */
        public long momentBytes() {
            return 2L * Float.BYTES * length;
        }
    }

    public static ParameterLayout of(ModelShape shape) {
        var builder = new Builder();
        int d = shape.hidden();
        int t = shape.slices();
        builder.cell(EMBEDDING_LAYER, UNSLICED);
        builder.add("wte.weight", Init.NORMAL, shape.vocabulary(), d);
        builder.add("wpe.weight", Init.NORMAL, shape.sequenceLength(), d);
        for (int layer = 0; layer < shape.layers(); layer++) {
            String h = "h." + layer + ".";
            builder.cell(layer, UNSLICED);
            builder.add(h + "ln_1.weight", Init.ONE, d);
            builder.add(h + "ln_1.bias", Init.ZERO, d);
            builder.add(h + "attn.c_proj.bias", Init.ZERO, d);
            builder.add(h + "ln_2.weight", Init.ONE, d);
            builder.add(h + "ln_2.bias", Init.ZERO, d);
            builder.add(h + "mlp.c_proj.bias", Init.ZERO, d);
            for (int slice = 0; slice < t; slice++) {
                builder.cell(layer, slice);
                builder.add(h + "attn.c_attn.weight", Init.NORMAL, 3 * d / t, d);
                builder.add(h + "attn.c_attn.bias", Init.ZERO, 3 * d / t);
                builder.add(h + "attn.c_proj.weight", Init.NORMAL, d, d / t);
                builder.add(h + "mlp.c_fc.weight", Init.NORMAL, 4 * d / t, d);
                builder.add(h + "mlp.c_fc.bias", Init.ZERO, 4 * d / t);
                builder.add(h + "mlp.c_proj.weight", Init.NORMAL, d, 4 * d / t);
            }
        }
        builder.cell(shape.layers(), UNSLICED);
        builder.add("ln_f.weight", Init.ONE, d);
        builder.add("ln_f.bias", Init.ZERO, d);
        builder.add("lm_head.weight", Init.NORMAL, shape.vocabulary(), d);
        return builder.build(shape);
    }

    private static final class Builder {
        private final List<Parameter> parameters = new ArrayList<>();
        private final List<Shard> shards = new ArrayList<>();
        private Cell cell = new Cell(EMBEDDING_LAYER, UNSLICED);
        private int cellStart;
        private int offset;

        void cell(int layer, int slice) {
            cutShards();
            cell = new Cell(layer, slice);
        }

        void add(String name, Init init, Integer... dims) {
            var parameter = new Parameter(name, cell, List.of(dims), offset, init);
            parameters.add(parameter);
            offset = Math.addExact(offset, parameter.size());
        }

        private void cutShards() {
            for (int at = cellStart; at < offset; at += SHARD_FLOATS_MAX) {
                shards.add(new Shard(shards.size(), at, Math.min(SHARD_FLOATS_MAX, offset - at)));
            }
            cellStart = offset;
        }

        ParameterLayout build(ModelShape shape) {
            cutShards();
            return new ParameterLayout(shape, List.copyOf(parameters), List.copyOf(shards), offset);
        }
    }
}
