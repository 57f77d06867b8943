package io.myolotrain.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommitPaceTest {
    private static final long FLUSH_MS = 100;
    private final CommitPace pace = new CommitPace();
    private long nowMs = 1_700_000_000_000L;

    private int commitsInASecond(long recordAgeMs) {
        int commits = 0;
        for (int flush = 0; flush < 10; flush++) {
            nowMs += FLUSH_MS;
            pace.read(nowMs - recordAgeMs);
            commits += pace.isDue(nowMs) ? 1 : 0;
        }
        return commits;
    }

    @Test
    void who_keeps_up_commits_at_each_flush() {
        assertThat(commitsInASecond(CommitPace.BEHIND_MS)).isEqualTo(10);
    }

    @Test
    void a_backlog_is_committed_once_a_second_and_the_end_of_it_at_once() {
        assertThat(commitsInASecond(60_000)).isEqualTo(1);
        assertThat(commitsInASecond(60_000)).isEqualTo(1);
        assertThat(commitsInASecond(10)).isEqualTo(10);
    }

    @Test
    void nothing_new_is_not_committed() {
        pace.read(nowMs);
        assertThat(pace.isDue(nowMs)).isTrue();
        assertThat(pace.isDue(nowMs + FLUSH_MS)).isFalse();
        pace.published();
        assertThat(pace.isDue(nowMs + 2 * FLUSH_MS)).isTrue();
    }

    @Test
    void what_was_published_while_behind_is_committed_though_nothing_follows() {
        commitsInASecond(60_000);
        pace.read(nowMs - 60_000);
        int flushes = 0;
        for (nowMs += FLUSH_MS; !pace.isDue(nowMs); nowMs += FLUSH_MS) {
            flushes++;
        }
        assertThat(flushes).isLessThanOrEqualTo(10);
    }
}
