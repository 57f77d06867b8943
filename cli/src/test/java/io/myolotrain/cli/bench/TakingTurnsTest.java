package io.myolotrain.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TakingTurnsTest {
    private static final int TURN = 5;
    private static final int STEPS = 20;
    private final List<Integer> order = Collections.synchronizedList(new ArrayList<>());

    private Thread side(TakingTurns turns, int side) {
        var thread = new Thread(() -> {
            turns.stepped(side); // joins
            for (int step = 0; step < STEPS; step++) {
                order.add(side);
                turns.stepped(side);
            }
        });
        thread.start();
        return thread;
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void sides_step_in_turn_and_both_get_to_their_end() throws InterruptedException {
        var turns = new TakingTurns(TURN, STEPS);
        Thread one = side(turns, 0);
        Thread other = side(turns, 1);
        one.join();
        other.join();

        assertThat(order).hasSize(2 * STEPS);
        int first = order.get(0);
        for (int i = 0; i < order.size(); i++) {
            assertThat(order.get(i)).as("step %d", i).isEqualTo(i / TURN % 2 == 0 ? first : 1 - first);
        }
        assertThat(turns.millisOf(0)).hasSize(STEPS).doesNotContain(0.0);
        assertThat(turns.millisOf(1)).hasSize(STEPS).doesNotContain(0.0);
    }

    @Test
    void what_is_not_measured_to_its_end_has_no_result() {
        assertThatThrownBy(() -> new TakingTurns(TURN, STEPS).millisOf(0)).hasMessageContaining("done=0 of 20");
    }
}
