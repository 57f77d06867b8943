package io.myolotrain.core.sampling;

import java.util.ArrayList;
import java.util.List;

/**
 * Attention of one head over one example: who looks at whom. At most {@link #SIDE_MAX} × {@link #SIDE_MAX} cells; of a longer
 * example a cell holds the largest weight of {@code cell × cell} positions, so that a lone strong link stays visible.
 *
 * @param request id of the request that this answers; empty when nobody asked
 * @param positions length of the example, padding included; 0 = an empty example
 * @param tokens labels of the first positions; those behind are padding. Empty: no labels are known
 * @param cell positions that one cell spans in each direction
 * @param weights query by query, {@code side × side}; 0 where a causal mask hides the key
 */
public record AttentionMap(
        String name,
        String request,
        int layer,
        int head,
        int positions,
        List<String> tokens,
        int cell,
        List<Float> weights)
        implements Frame {

    public static final int SIDE_MAX = 128;
    public static final int POSITIONS_MAX = 1 << 20;
    public static final int TOKEN_CHARS_MAX = 64;

    public AttentionMap {
        Frame.requireName(name);
        if (positions < 0 || positions > POSITIONS_MAX || cell < 1 || cell > POSITIONS_MAX) {
            throw new IllegalArgumentException("an example has 0 to " + POSITIONS_MAX
                    + " positions and cells of >= 1: positions=" + positions + " cell=" + cell);
        }
        if (layer < 0 || head < 0) {
            throw new IllegalArgumentException("layer and head count from 0: layer=" + layer + " head=" + head);
        }
        int side = (positions + cell - 1) / cell;
        if (side > SIDE_MAX || weights.size() != side * side) {
            throw new IllegalArgumentException("a map has at most " + SIDE_MAX + " × " + SIDE_MAX
                    + " cells, ⌈positions / cell⌉ per side: positions=" + positions + " cell=" + cell + " weights="
                    + weights.size() + "; reduce it first");
        }
        if (tokens.size() > positions) {
            throw new IllegalArgumentException("an example has no more labels than positions: tokens=" + tokens.size()
                    + " positions=" + positions);
        }
        tokens = tokens.stream()
                .map(t -> t.length() <= TOKEN_CHARS_MAX ? t : t.substring(0, TOKEN_CHARS_MAX))
                .toList();
        weights = List.copyOf(weights);
    }

    /**
     * Reduces a square of attention weights by max pooling until it fits.
     *
     * @param square row-major, {@code positions × positions}
     */
    public static AttentionMap reduced(
            String name, String request, int layer, int head, List<String> tokens, int positions, float[] square) {
        if (square.length != (long) positions * positions) {
            throw new IllegalArgumentException(
                    "attention is a square of its positions: positions=" + positions + " weights=" + square.length);
        }
        int cell = Math.max(1, (positions + SIDE_MAX - 1) / SIDE_MAX);
        int side = (positions + cell - 1) / cell;
        float[] pooled = new float[side * side];
        for (int query = 0; query < positions; query++) {
            for (int key = 0; key < positions; key++) {
                int at = query / cell * side + key / cell;
                pooled[at] = Math.max(pooled[at], square[query * positions + key]);
            }
        }
        List<Float> weights = new ArrayList<>(pooled.length);
        for (float weight : pooled) {
            weights.add(weight);
        }
        return new AttentionMap(name, request, layer, head, positions, tokens, cell, weights);
    }

    /** Cells per side. */
    public int side() {
        return (positions + cell - 1) / cell;
    }

    /** Positions behind the last label; 0 when there are no labels. */
    public int padding() {
        return tokens.isEmpty() ? 0 : positions - tokens.size();
    }
}
