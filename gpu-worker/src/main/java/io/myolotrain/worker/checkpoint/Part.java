package io.myolotrain.worker.checkpoint;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A file that one rank wrote, as its writer saw it: the checksum is taken of the bytes on their way, so it also finds what
 * a disk made of them.
 *
 * @param number rank of the moments file's writer, or {@link #MODEL}
 * @param sha256 lower-case hex
 */
public record Part(int number, long bytes, String sha256) {
    public static final int MODEL = -1;

    /** Length of {@link #toWords}. */
    public static final int WORDS = 6;

    private static final int FAILED = -2;
    private static final int HASH_BYTES = 32;

    /** For an all-gather to the rank that publishes. */
    public long[] toWords() {
        var words = new long[WORDS];
        words[0] = number;
        words[1] = bytes;
        ByteBuffer.wrap(HexFormat.of().parseHex(sha256)).asLongBuffer().get(words, 2, HASH_BYTES / Long.BYTES);
        return words;
    }

    /** Words of a rank that could not write its part: the others must hear of it rather than wait. */
    public static long[] failedWords() {
        var words = new long[WORDS];
        words[0] = FAILED;
        return words;
    }

    /**
     * @param at first of {@link #WORDS} words
     * @throws CheckpointException when the words say that the part was not written
     */
    public static Part fromWords(long[] words, int at) {
        if (words[at] == FAILED) {
            throw new CheckpointException("a rank could not write its part; that worker's log has the reason");
        }
        ByteBuffer hash = ByteBuffer.allocate(HASH_BYTES);
        hash.asLongBuffer().put(words, at + 2, HASH_BYTES / Long.BYTES);
        return new Part(
                Math.toIntExact(words[at]), words[at + 1], HexFormat.of().formatHex(hash.array()));
    }

    String fileName() {
        return number == MODEL ? CheckpointPaths.MODEL : CheckpointPaths.moments(number);
    }
}
