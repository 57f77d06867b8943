package io.myolotrain.worker.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.Generation;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VoteTest {
    private static final Generation IN_FORCE = new Generation(6);
    private static final Generation NEWER = new Generation(7);

    @Test
    void aStepIsCommittedOnlyWhenEveryRankHasComputedIt() {
        assertThat(count(vote(true), vote(true), vote(true)).commit()).isTrue();
        assertThat(count(vote(true), vote(false), vote(true)).commit()).isFalse();
    }

    @Test
    void aPlanIsAdoptedOnlyWhenEveryRankHasPreparedTheSameGeneration() {
        assertThat(count(prepared(NEWER), prepared(NEWER)).preparedByAll()).isEqualTo(NEWER);
        assertThat(count(prepared(NEWER), prepared(IN_FORCE)).preparedByAll()).isEqualTo(Generation.NONE);
    }

    @Test
    void oneRankIsEnoughToAskForACheckpoint() {
        var asking = new Vote(false, IN_FORCE, 0, true);
        assertThat(count(vote(true), asking).checkpointWanted()).isTrue();
        assertThat(count(vote(true), vote(true)).checkpointWanted()).isFalse();
    }

    @Test
    void aCheckpointIsWrittenWhenTheSlowestRankHasWrittenIt() {
        assertThat(count(new Vote(true, IN_FORCE, 40, false), new Vote(true, IN_FORCE, 0, false))
                        .checkpointWrittenByAll())
                .isZero();
        assertThat(count(new Vote(true, IN_FORCE, 40, false), new Vote(true, IN_FORCE, 40, false))
                        .checkpointWrittenByAll())
                .isEqualTo(40);
    }

    private static Vote vote(boolean computed) {
        return new Vote(computed, IN_FORCE, 0, false);
    }

    private static Vote prepared(Generation generation) {
        return new Vote(true, generation, 0, false);
    }

    private static Vote.Verdict count(Vote... votes) {
        LongStream words = Stream.of(votes).flatMapToLong(vote -> Arrays.stream(vote.words()));
        return Vote.count(words.toArray());
    }
}
