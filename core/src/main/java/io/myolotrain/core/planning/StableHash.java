package io.myolotrain.core.planning;

/** 64-bit hashes that are the same in every process and release: they decide where shards live. */
final class StableHash {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L; // 2^64 / golden ratio, odd
    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;

    private StableHash() {}

    /** FNV-1a over UTF-16 units, then mixed: FNV alone leaves the high bits of short texts alike. */
    static long of(String text) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return mix(hash);
    }

    static long of(long seed, long index) {
        return mix(seed + (index + 1) * GOLDEN);
    }

    /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014, doi 10.1145/2660193.2660195). */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
