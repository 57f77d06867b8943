package io.myolotrain.worker.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StepClockTest {
    private final StepClock clock = new StepClock();

    @Test
    void theDeadlineFollowsTheSlowestRecentStep() {
        for (int step = 0; step < 8; step++) {
            clock.record(1_000_000);
        }
        assertThat(clock.deadline()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void fastStepsLeaveRoomForABusyMachine() {
        for (int step = 0; step < 8; step++) {
            clock.record(2_000);
        }
        assertThat(clock.deadline()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void anOldSlowStepIsForgotten() {
        clock.record(60_000_000);
        for (int step = 0; step < 32; step++) {
            clock.record(500_000);
        }
        assertThat(clock.deadline()).isEqualTo(Duration.ofSeconds(10));
        assertThat(clock.medianMicros()).isEqualTo(500_000);
    }

    @Test
    void inAnotherWorldTheLastOneBoundsThePatience() {
        for (int step = 0; step < 8; step++) {
            clock.record(2_000);
        }
        clock.forget();
        assertThat(clock.deadline()).isEqualTo(Duration.ofSeconds(12));
        clock.forget();
        assertThat(clock.deadline()).isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void slowStepsStaySlowInAnotherWorld() {
        for (int step = 0; step < 8; step++) {
            clock.record(10_000_000);
        }
        clock.forget();
        assertThat(clock.deadline()).isEqualTo(Duration.ofSeconds(200));
    }

    @Test
    void nothingIsAssumedBeforeTheFirstSteps() {
        clock.record(2_000);
        assertThat(clock.deadline()).isEqualTo(Duration.ofSeconds(60));
    }
}
