package io.myolotrain.core.training;

/** Clipping by global norm (arXiv 1211.5063), folded into one factor with the averaging over micro-batches. */
public final class GradientClip {
    private static final double EPSILON = 1e-6; // torch.nn.utils.clip_grad_norm_

    private GradientClip() {}

    /** Norm of the mean gradient, from the squared norm of the sum over micro-batches. */
    public static double meanNorm(double squaredNormOfSum, int microBatches) {
        return Math.sqrt(squaredNormOfSum) / microBatches;
    }

    /**
     * Factor that turns the sum over micro-batches into the clipped mean.
     *
     * @param meanNorm global norm of the mean gradient
     * @param clipNorm threshold, 0 = off
     */
    public static double scale(double meanNorm, double clipNorm, int microBatches) {
        double clip = clipNorm > 0 ? Math.min(1, clipNorm / (meanNorm + EPSILON)) : 1;
        return clip / microBatches;
    }
}
