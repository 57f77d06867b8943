package io.myolotrain.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerRef;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
    private static final WorkerRef A = new WorkerRef(new WorkerId("a"), 1);
    private static final WorkerRef B = new WorkerRef(new WorkerId("b"), 1);
    private final Heartbeats heartbeats = new Heartbeats();

    private static Heartbeat beat(WorkerRef worker) {
        return new Heartbeat(new PoolId("pool"), worker, 0, Optional.empty());
    }

    @Test
    void ages_are_differences_of_the_logs_times_whatever_the_readers_clock_shows() {
        heartbeats.hear(beat(A), 10_000, 500);
        heartbeats.hear(beat(B), 13_000, 510);

        assertThat(heartbeats.heard(510).get(A).ageMillis()).isEqualTo(3_000);
        assertThat(heartbeats.heard(510).get(B).ageMillis()).isZero();
    }

    @Test
    void a_quiet_log_makes_everybody_older() {
        heartbeats.hear(beat(A), 10_000, 500);
        heartbeats.passed(11_000, 1_500);

        assertThat(heartbeats.heard(3_500).get(A).ageMillis()).isEqualTo(3_000);
    }

    @Test
    void a_record_that_is_read_late_does_not_set_the_time_back() {
        heartbeats.hear(beat(B), 13_000, 510);
        heartbeats.hear(beat(A), 10_000, 520);

        assertThat(heartbeats.heard(520).get(A).ageMillis()).isEqualTo(3_010);
    }

    @Test
    void who_is_not_wanted_any_more_is_forgotten() {
        heartbeats.hear(beat(A), 10_000, 500);
        heartbeats.hear(beat(B), 10_000, 500);
        heartbeats.retain(B::equals);

        assertThat(heartbeats.heard(500)).containsOnlyKeys(B);
    }
}
