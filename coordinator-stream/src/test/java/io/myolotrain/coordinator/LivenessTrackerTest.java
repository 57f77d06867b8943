package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LivenessTrackerTest {
    private static final WorkerRef A = new WorkerRef(new WorkerId("a"), 1);
    private static final WorkerRef B = new WorkerRef(new WorkerId("b"), 1);
    /** Somebody who is always heard: where nobody is, other rules hold. */
    private static final WorkerRef TALKER = new WorkerRef(new WorkerId("talker"), 1);

    private final LivenessTracker tracker = new LivenessTracker(5_000, 400);
    private long nowMs = 1_000_000;

    private List<LivenessTracker.Lost> listen(long forMs) {
        var lost = new ArrayList<LivenessTracker.Lost>();
        for (long end = nowMs + forMs; nowMs < end; ) {
            nowMs += 200;
            tracker.heard(TALKER);
            lost.addAll(tracker.tick(nowMs, true));
        }
        return lost;
    }

    @BeforeEach
    void somebodyIsThere() {
        tracker.watch(TALKER);
    }

    @Test
    void where_nobody_at_all_is_heard_nobody_is_given_up_for_a_long_time() {
        tracker.forget(TALKER);
        tracker.watch(A);
        tracker.watch(B);
        assertThat(listen(119_000)).as("their way to the log may be cut").isEmpty();
        assertThat(listen(2_000)).extracting(LivenessTracker.Lost::worker).containsExactly(A, B);
    }

    @Test
    void when_somebody_is_heard_again_the_others_get_the_whole_deadline() {
        tracker.forget(TALKER);
        tracker.watch(A);
        tracker.watch(B);
        assertThat(listen(60_000)).isEmpty();
        tracker.watch(TALKER); // and is heard from here on
        tracker.heard(B);
        assertThat(listen(4_800)).isEmpty();
        tracker.heard(B);
        assertThat(listen(600)).extracting(LivenessTracker.Lost::worker).containsExactly(A);
    }

    @Test
    void a_silent_worker_is_lost_and_one_that_speaks_is_not() {
        tracker.watch(A);
        tracker.watch(B);
        var lost = new ArrayList<LivenessTracker.Lost>();
        for (int second = 0; second < 6; second++) {
            tracker.heard(B);
            lost.addAll(listen(1_000));
        }

        assertThat(lost).singleElement().satisfies(one -> {
            assertThat(one.worker()).isEqualTo(A);
            assertThat(one.silentMs()).isGreaterThan(5_000);
        });
    }

    @Test
    void a_stall_of_our_own_counts_as_one_tick_only() {
        tracker.watch(A);
        listen(4_000);
        nowMs += 600_000;

        assertThat(listen(200)).isEmpty();
        tracker.heard(A);
        assertThat(listen(5_000)).isEmpty();
    }

    @Test
    void after_a_stall_a_worker_that_stays_silent_is_lost_all_the_same() {
        tracker.watch(A);
        listen(4_000);
        nowMs += 600_000;

        assertThat(listen(2_000)).extracting(LivenessTracker.Lost::worker).containsExactly(A);
    }

    @Test
    void a_clock_that_is_set_back_or_ahead_evicts_nobody() {
        tracker.watch(A);
        listen(2_000);
        nowMs -= 3_600_000;
        assertThat(listen(1_000)).isEmpty();
        nowMs += 7_200_000;
        assertThat(listen(1_000)).isEmpty();
    }

    @Test
    void while_the_log_is_out_of_reach_nobody_is_lost_and_everybody_gets_the_whole_deadline_again() {
        tracker.watch(A);
        listen(4_800);
        for (int i = 0; i < 100; i++) {
            nowMs += 200;
            assertThat(tracker.tick(nowMs, false)).isEmpty();
        }

        assertThat(listen(5_000)).isEmpty();
        assertThat(listen(200)).hasSize(1);
    }

    @Test
    void one_that_is_forgotten_or_was_never_watched_is_not_reported() {
        tracker.watch(A);
        tracker.heard(B);
        tracker.forget(A);

        assertThat(listen(20_000)).isEmpty();
    }

    @Test
    void a_worker_that_stays_watched_is_reported_again_after_another_deadline() {
        tracker.watch(A);

        assertThat(listen(11_000)).hasSize(2);
    }

    /** Heartbeats each second; ticks of a starved machine come when they come. */
    @Test
    void a_hundred_thousand_healthy_seconds_on_a_busy_machine_evict_nobody() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        var random = new Random(seed);
        tracker.watch(A);
        long heartbeatDueMs = nowMs;
        for (int second = 0; second < 100_000; second++) {
            nowMs += random.nextInt(100) == 0 ? random.nextInt(30_000) : random.nextInt(400);
            // What was sent during the stall is read after the first tick that follows it: the worst order.
            assertThat(tracker.tick(nowMs, true)).isEmpty();
            tracker.heard(TALKER);
            if (nowMs >= heartbeatDueMs) {
                tracker.heard(A);
                heartbeatDueMs = nowMs + 1_000 + random.nextInt(2_000);
            }
        }
    }

    @Test
    void a_deadline_shorter_than_a_tick_is_refused() {
        assertThatThrownBy(() -> new LivenessTracker(400, 400)).hasMessageContaining("deadlineMs=400");
    }
}
