package io.myolotrain.core.training;

import io.myolotrain.core.training.RandomStreams.Stream;

/**
 * BERT's masked-token task (arXiv 1810.04805, section 3.1): of the chosen positions 80 % become the mask token, 10 % a
 * random token, 10 % stay. Exactly the same number is chosen in each sample, so that the mean over a micro-batch's targets
 * and the mean over its samples agree, and micro-batches weigh the same.
 *
 * @param maskToken token written over masked positions; byte-level vocabularies use 0, a byte that text does not hold
 * @param ignoredTarget marks positions without loss
 */
public record TokenMasking(int vocabulary, int maskToken, int ignoredTarget) {
    private static final double CHOSEN = 0.15;
    private static final double MASKED = 0.8;
    private static final double RANDOM = 0.1;

    public TokenMasking {
        if (maskToken < 0 || maskToken >= vocabulary) {
            throw new IllegalArgumentException(
                    "mask token must be in the vocabulary: maskToken=" + maskToken + " vocabulary=" + vocabulary);
        }
    }

    /**
     * Masks one sample in place.
     *
     * @param tokens {@code [offset, offset + length)} are masked
     * @param targets receives the original token at chosen positions, {@code ignoredTarget} elsewhere
     */
    public void apply(Stream random, int[] tokens, int[] targets, int offset, int length) {
        int left = Math.max(1, (int) Math.round(CHOSEN * length));
        for (int i = 0; i < length; i++) {
            int at = offset + i;
            // selection sampling (Knuth, TAOCP 2, algorithm 3.4.2S): position i is taken with left / (length - i)
            if (random.below(length - i, 3L * i) >= left) {
                targets[at] = ignoredTarget;
                continue;
            }
            left--;
            targets[at] = tokens[at];
            double kind = random.uniform(3L * i + 1);
            if (kind < MASKED) {
                tokens[at] = maskToken;
            } else if (kind < MASKED + RANDOM) {
                tokens[at] = random.below(vocabulary, 3L * i + 2);
            }
        }
    }
}
