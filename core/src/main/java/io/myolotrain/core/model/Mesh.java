package io.myolotrain.core.model;

/** Degrees of data, tensor and pipeline parallelism; their product is the world size. */
public record Mesh(int dp, int tp, int pp) {
    public Mesh {
        if (dp < 1 || tp < 1 || pp < 1) {
            throw new IllegalArgumentException("dp, tp and pp must be >= 1: dp=" + dp + " tp=" + tp + " pp=" + pp);
        }
        Math.multiplyExact(Math.multiplyExact(dp, tp), pp);
    }

    public int worldSize() {
        return dp * tp * pp;
    }

    public static Mesh dataParallel(int dp) {
        return new Mesh(dp, 1, 1);
    }
}
