package io.myolotrain.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.Seeds;
import io.myolotrain.core.audit.ReplayAudit;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.simulation.ClusterSimulation.Weather;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** {@code -Dmyolotrain.seeds=N} runs more; {@code -Dmyolotrain.seed=S} runs the one that failed. */
class ClusterSimulationTest {
    private static final int SEEDS = 100; // per weather

    @Test
    void whereOneWorkerDiesAtATimeNothingIsLostAndTheJobRunsAsDesiredInTheEnd() {
        simulate(new Weather(true, false));
    }

    @Test
    void whereWorkersDieInAnyNumberTheJobRunsAsDesiredInTheEnd() {
        simulate(new Weather(false, false));
    }

    @Test
    void whereSurvivorsSlanderTheJobRunsAsDesiredInTheEnd() {
        simulate(new Weather(false, true));
    }

    private static void simulate(Weather weather) {
        Long one = Long.getLong("myolotrain.seed");
        long[] seeds = one != null ? new long[] {one} : Seeds.of(SEEDS).toArray();
        for (long seed : seeds) {
            var simulation = new ClusterSimulation(seed, weather);
            boolean peace;
            try {
                peace = simulation.run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed=" + seed + " " + weather + " event=" + simulation.journal.size(), e);
            }
            assertThat(peace)
                    .as("seed=%s %s job=%s", seed, weather, simulation.describe())
                    .isTrue();
            assertReplays(simulation, "seed=" + seed + " " + weather);
        }
    }

    private static void assertReplays(ClusterSimulation simulation, String run) {
        var again = new ArrayList<Decision>();
        var audit = new ReplayAudit(new Coordinator()::process);
        ClusterState state = audit.fold(ClusterState.empty(ClusterSimulation.POOL), simulation.journal, again::add);
        assertThat(again).as(run).isEqualTo(simulation.decisions);
        assertThat(state).as(run).isEqualTo(simulation.state);
    }
}
