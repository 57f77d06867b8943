package io.myolotrain.core.training;

/**
 * Every random number of a job as a pure function of where it is used: the job's seed, step, micro-batch, layer, slice and
 * site, then a counter. Nothing is drawn in sequence, so no placement and no restart changes a number.
 *
 * <p>The mixing function is SplitMix64's finalizer (Steele, Lea, Flood, OOPSLA 2014, variant 13 of Stafford). It is
 * written out here because the numbers are part of the job: they may not change with a library.
 */
public record RandomStreams(long jobSeed) {
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    /** What the numbers are for. The codes are part of the mathematics of running jobs: never reuse or renumber one. */
    public enum Site {
        INITIAL_VALUE(1),
        SAMPLE_ORDER(2),
        TOKEN_MASK(3),
        EMBEDDING_DROPOUT(4),
        ATTENTION_DROPOUT(5),
        MLP_DROPOUT(6);

        private final int code;

        Site(int code) {
            this.code = code;
        }
    }

    /** The numbers of one use. Arguments that do not apply are 0, or -1 for "unsliced". */
    public Stream stream(Site site, long step, int microBatch, int layer, int slice) {
        long key = mix(jobSeed + GOLDEN_GAMMA);
        key = absorb(key, site.code);
        key = absorb(key, step);
        key = absorb(key, microBatch);
        key = absorb(key, layer);
        return new Stream(absorb(key, slice));
    }

    private static long absorb(long key, long word) {
        return mix((key ^ word) * GOLDEN_GAMMA + GOLDEN_GAMMA);
    }

    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Random-access numbers: the same index always gives the same number. */
    public record Stream(long key) {
        private static final double TWO_TO_MINUS_53 = 0x1.0p-53;

        /** 64 random bits. */
        public long bits(long index) {
            return mix(key + (index + 1) * GOLDEN_GAMMA);
        }

        /** Uniform in [0, 1). */
        public double uniform(long index) {
            return (bits(index) >>> 11) * TWO_TO_MINUS_53;
        }

        /** Uniform in {@code [0, bound)}, exactly below the bound; the bias of at most {@code bound / 2^32} is accepted. */
        public int below(int bound, long index) {
            if (bound < 1) {
                throw new IllegalArgumentException("bound must be >= 1: bound=" + bound);
            }
            return (int) (((bits(index) >>> 32) * bound) >>> 32);
        }

        /**
         * Standard normal (Box and Muller, 1958). StrictMath: the same bits on every JVM.
         */
        public double gaussian(long index) {
            double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - uniform(2 * index)));
            return radius * StrictMath.cos(2 * Math.PI * uniform(2 * index + 1));
        }
    }
}
