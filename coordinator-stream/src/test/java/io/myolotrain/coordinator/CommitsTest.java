package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Test;

class CommitsTest {
    private static final long NOON = 1_000_000;

    private final MockProcessorContext<String, byte[]> context = new MockProcessorContext<>();
    private final Commits commits = new Commits(context);

    private boolean committed() {
        boolean committed = context.committed();
        context.resetCommit();
        return committed;
    }

    private boolean urgentAt(long ms) {
        context.setCurrentSystemTimeMs(ms);
        commits.soon();
        return committed();
    }

    private boolean tickAt(long ms) {
        context.setCurrentSystemTimeMs(ms);
        context.scheduledPunctuators().get(0).getPunctuator().punctuate(ms);
        return committed();
    }

    @Test
    void whatComesAfterAPauseCommitsAtOnce() {
        assertThat(urgentAt(NOON)).isTrue();
        assertThat(tickAt(NOON + 3)).as("nothing is due").isFalse();
        assertThat(urgentAt(NOON + 1_000)).isTrue();
    }

    @Test
    void afterACommitTheNextWaitsForAsLongAsItTookAndTakesAllThatCame() {
        assertThat(urgentAt(NOON)).isTrue();
        assertThat(urgentAt(NOON + 40)).as("it took 40 ms").isFalse();
        assertThat(urgentAt(NOON + 60)).isFalse();
        assertThat(tickAt(NOON + 79)).isFalse();
        assertThat(tickAt(NOON + 80)).isTrue();
        assertThat(tickAt(NOON + 1_000)).as("they were committed together").isFalse();
    }

    /** The transaction ends after the turn: what comes within it is in it, and says nothing about how long it takes. */
    @Test
    void recordsOfTheSameTurnAreNoMeasureOfTheCommit() {
        assertThat(urgentAt(NOON)).isTrue();
        assertThat(urgentAt(NOON)).isFalse();
        assertThat(tickAt(NOON + 40)).isFalse();
        assertThat(tickAt(NOON + 80))
                .as("the second was in time for the first one's commit, or is committed now")
                .isTrue();
    }

    @Test
    void fastCommitsAreKeptApartToo() {
        assertThat(urgentAt(NOON)).isTrue();
        assertThat(urgentAt(NOON + 1)).isFalse();
        assertThat(tickAt(NOON + Commits.SPACING_MS)).isTrue();
    }

    @Test
    void aCommitThatTookVeryLongIsNotPaidTwice() {
        assertThat(urgentAt(NOON)).isTrue();
        assertThat(urgentAt(NOON + 30_000)).isFalse();
        assertThat(tickAt(NOON + 30_000 + Commits.REST_MAX_MS)).isTrue();
    }

    @Test
    void aClockThatIsSetBackHoldsNothingUp() {
        assertThat(urgentAt(NOON)).isTrue();
        assertThat(urgentAt(NOON - 3_600_000)).isTrue();
        assertThat(tickAt(NOON - 3_600_000 + 4)).isFalse();
        assertThat(urgentAt(NOON - 3_600_000 + 500)).isTrue();
    }
}
