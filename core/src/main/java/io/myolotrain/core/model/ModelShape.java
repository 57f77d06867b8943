package io.myolotrain.core.model;

/**
 * Sizes of a transformer, fixed for the life of a job.
 *
 * @param layers transformer blocks, L: cells along the pipeline axis
 * @param slices tensor slices, T: attention heads and MLP columns in T equal groups
 * @param vocabulary token ids are {@code [0, vocabulary)}; 256 for byte-level text
 * @param dropout probability in {@code [0, 1)}
 */
public record ModelShape(
        Family family,
        int layers,
        int hidden,
        int heads,
        int sequenceLength,
        int vocabulary,
        int slices,
        double dropout) {
    public static final int VOCABULARY_MAX = 65_536; // token files are uint16

    /** GPT: causal decoder, next-token loss. BERT: bidirectional encoder, masked-token loss. */
    public enum Family {
        GPT,
        BERT
    }

    public ModelShape {
        require(layers >= 1 && layers <= 1_024, "layers must be in [1, 1024]: layers=" + layers);
        require(hidden >= 1 && hidden <= 65_536, "hidden must be in [1, 65536]: hidden=" + hidden);
        require(
                heads >= 1 && hidden % heads == 0,
                "hidden must be divisible by heads: hidden=" + hidden + " heads=" + heads);
        require(
                slices >= 1 && heads % slices == 0,
                "heads must be divisible by slices: heads=" + heads + " slices=" + slices);
        require(
                sequenceLength >= 2 && sequenceLength <= 1 << 20,
                "sequenceLength must be in [2, 1048576]: sequenceLength=" + sequenceLength);
        require(
                vocabulary >= 2 && vocabulary <= VOCABULARY_MAX,
                "vocabulary must be in [2, " + VOCABULARY_MAX + "]: vocabulary=" + vocabulary);
        require(dropout >= 0 && dropout < 1, "dropout must be in [0, 1): dropout=" + dropout);
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
