package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.Event;
import org.junit.jupiter.api.Test;

class TimersTest {
    private final Timers timers = new Timers();

    @Test
    void what_is_due_fires_once_in_the_order_of_its_deadlines() {
        timers.set("c", 300);
        timers.set("b", 100);
        timers.set("a", 100);
        timers.set("later", 301);

        assertThat(timers.fire(300)).extracting(Event.TimerFired::timer).containsExactly("a", "b", "c");
        assertThat(timers.fire(300)).isEmpty();
    }

    @Test
    void a_timer_that_was_cleared_or_set_anew_does_not_fire_at_its_old_deadline() {
        timers.set("cleared", 100);
        timers.set("moved", 100);
        timers.clear("cleared");
        timers.set("moved", 500);

        assertThat(timers.fire(499)).isEmpty();
        assertThat(timers.fire(500)).containsExactly(new Event.TimerFired("moved", 500));
    }
}
