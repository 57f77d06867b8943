package io.myolotrain.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SamplerBenchTest {
    @Test
    void a_reading_of_each_tenth_step_counts_a_tenth_and_a_neighbour_not_at_all() {
        double[] off = new double[400];
        double[] on = new double[400];
        for (int step = 0; step < on.length; step++) {
            off[step] = 100 + step % 7;
            on[step] = off[step] + (step % 10 == 9 ? 5 : 0);
        }
        on[37] += 900;
        off[123] += 900;

        SamplerBench.Comparison steps = SamplerBench.compare(on, off);

        assertThat(steps.moreMs()).isCloseTo(0.5, within(1e-9));
        assertThat(steps.silentMs()).isBetween(100.0, 106.0);
    }
}
