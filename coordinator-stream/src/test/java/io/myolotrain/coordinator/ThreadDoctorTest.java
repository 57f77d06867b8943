package io.myolotrain.coordinator;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class ThreadDoctorTest {
    private final Counters counters = new Counters();
    private final ThreadDoctor doctor = new ThreadDoctor(1, counters);

    @Test
    void a_thread_is_replaced_and_when_too_many_die_the_doctor_gives_up_and_says_why() {
        var bug = new StreamsException("wrapped", new IllegalStateException("the cause"));

        assertThat(doctor.handle(bug)).isEqualTo(REPLACE_THREAD);
        assertThat(doctor.gaveUp()).isEmpty();
        assertThat(doctor.handle(bug)).isEqualTo(SHUTDOWN_CLIENT);
        assertThat(doctor.gaveUp())
                .hasValueSatisfying(reason -> assertThat(reason).contains("at most 1", "died=2", "the cause"));
    }

    @Test
    void trouble_that_passes_is_waited_out_however_often_it_comes() {
        var away = new StreamsException("wrapped", new TimeoutException("the registry is away"));

        for (int i = 0; i < 3; i++) {
            assertThat(doctor.handle(away)).isEqualTo(REPLACE_THREAD);
        }
        assertThat(doctor.gaveUp()).isEmpty();
        assertThat(doctor.lastDeath())
                .hasValueSatisfying(cause -> assertThat(cause).contains("the registry is away"));
        assertThat(counters.all()).containsEntry(Counters.THREADS_REPLACED, 3L);
    }
}
