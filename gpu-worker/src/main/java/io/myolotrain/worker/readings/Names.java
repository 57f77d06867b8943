package io.myolotrain.worker.readings;

import io.myolotrain.core.training.ParameterLayout;

/** Names of the readings; whatever holds {@code gradient} or {@code comm} has a standard policy of its own. */
public final class Names {
    public static final String LOSS = "train.loss";
    public static final String LEARNING_RATE = "train.learning_rate";
    public static final String GRADIENT_NORM = "train.gradient_norm";
    public static final String TOKENS_PER_SECOND = "train.tokens_per_second";
    public static final String SAMPLES = "train.samples";
    public static final String VALIDATION_LOSS = "validation.loss";
    public static final String STEP_MICROS = "step.micros";
    public static final String ALL_REDUCE_MICROS = "comm.all_reduce_micros";
    public static final String SPANS = "step.spans";
    public static final String GRADIENT_HISTOGRAM = "gradient.histogram";
    public static final String WEIGHT_HISTOGRAM = "weight.histogram";
    public static final String ATTENTION_ENTROPY = "attention.entropy";
    public static final String ATTENTION_LARGEST = "attention.largest_weight";
    public static final String HEAD_NORM = "attention.head_norm";
    public static final String ATTENTION_MAP = "attention.map";
    public static final String DROPPED = "worker.readings_dropped";

    private static final String GRADIENT_NORM_OF = "gradient.norm.";
    private static final String WEIGHT_NORM_OF = "weight.norm.";

    private Names() {}

    /** @param layers transformer blocks of the model */
    static String gradientNorm(int layer, int layers) {
        return GRADIENT_NORM_OF + part(layer, layers);
    }

    static String weightNorm(int layer, int layers) {
        return WEIGHT_NORM_OF + part(layer, layers);
    }

    private static String part(int layer, int layers) {
        return layer == ParameterLayout.EMBEDDING_LAYER ? "embedding" : layer == layers ? "head" : "layer" + layer;
    }

    /** Of one rank: what a machine does is lost in a mean over machines. */
    static String ofRank(String name, int rank) {
        return name + ".rank" + rank;
    }
}
