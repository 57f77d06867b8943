package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.Generation;
import java.util.function.LongBinaryOperator;

/**
 * What each rank says at a step boundary. Commit barrier and plan vote in one: a step is committed when every rank has
 * computed it, a plan is adopted when every rank has prepared the same generation.
 *
 * @param computed the rank holds the reduced gradient of the step
 * @param prepared newest generation that the rank could switch to now, or the current one
 * @param checkpointWritten newest step whose checkpoint part this rank has finished, well or not; 0 before the first
 * @param checkpointWanted the rank asks for a checkpoint at this boundary (its process or the job is about to stop)
 */
record Vote(boolean computed, Generation prepared, long checkpointWritten, boolean checkpointWanted) {
    static final int WORDS = 3;

    private static final long COMPUTED = 1;
    private static final long WANTED = 2;

    long[] words() {
        return new long[] {
            (computed ? COMPUTED : 0) | (checkpointWanted ? WANTED : 0), prepared.value(), checkpointWritten
        };
    }

    /** The verdict that every rank draws from the same words. */
    static Verdict count(long[] words) {
        long flagsOfAll = fold(words, 0, (a, b) -> a & b);
        long flagsOfAny = fold(words, 0, (a, b) -> a | b);
        long oldest = fold(words, 1, Math::min);
        long newest = fold(words, 1, Math::max);
        long written = fold(words, 2, Math::min);
        return new Verdict(
                (flagsOfAll & COMPUTED) != 0,
                oldest == newest ? new Generation(newest) : Generation.NONE,
                written,
                (flagsOfAny & WANTED) != 0);
    }

    private static long fold(long[] words, int column, LongBinaryOperator operator) {
        long result = words[column];
        for (int at = column + WORDS; at < words.length; at += WORDS) {
            result = operator.applyAsLong(result, words[at]);
        }
        return result;
    }

    /**
     * @param preparedByAll the generation that every rank has prepared, {@link Generation#NONE} while they differ
     * @param checkpointWrittenByAll oldest among the ranks' newest written parts
     */
    record Verdict(boolean commit, Generation preparedByAll, long checkpointWrittenByAll, boolean checkpointWanted) {}
}
