package io.myolotrain.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.Seeds;
import io.myolotrain.core.audit.ReplayAudit;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import java.util.ArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * {@code -Dmyolotrain.seeds=N} simulates N pools, shared out among the weathers; {@code -Dmyolotrain.seed=S} runs the seed
 * that failed, in every weather.
 */
class ClusterSimulationTest {
    private static final int SEEDS = 1_000;
    private static final int WEATHERS = 5;

    @Test
    void whereOneWorkerDiesAtATimeNothingIsLostAndTheJobRunsAsDesiredInTheEnd() {
        simulate(Weather.DRIZZLE);
    }

    @Test
    void whereWorkersDieInAnyNumberTheJobRunsAsDesiredInTheEnd() {
        simulate(Weather.RAIN);
    }

    @Test
    void whereSurvivorsSlanderTheJobRunsAsDesiredInTheEnd() {
        simulate(Weather.SLANDER);
    }

    /** Case D05, among others: who sleeps too long wakes as a zombie. */
    @Test
    void whereWorkersHangAndLoseEachOtherTheJobRunsAsDesiredInTheEnd() {
        simulate(Weather.FOG);
    }

    @Test
    void whereEverythingGoesWrongTheJobRunsAsDesiredInTheEnd() {
        simulate(Weather.STORM);
    }

    private static void simulate(Weather weather) {
        Long one = Long.getLong("myolotrain.seed");
        LongStream seeds = one != null
                ? LongStream.of(one)
                : LongStream.range(0, Seeds.of(SEEDS).count() / WEATHERS);
        seeds.parallel().forEach(seed -> simulate(weather, seed));
    }

    private static void simulate(Weather weather, long seed) {
        String run = "seed=" + seed + " " + weather.name();
        var simulation = new ClusterSimulation(seed, weather);
        boolean peace;
        try {
            peace = simulation.run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(run + " event=" + simulation.log.journal.size() + ": " + e.getMessage(), e);
        }
        assertThat(peace).as("%s job=%s", run, simulation.describe()).isTrue();
        assertReplays(simulation, run);
    }

    /** Invariant 5. */
    private static void assertReplays(ClusterSimulation simulation, String run) {
        var again = new ArrayList<Decision>();
        var audit = new ReplayAudit(new Coordinator()::process);
        ClusterState state = audit.fold(ClusterState.empty(ClusterSimulation.POOL), simulation.log.journal, again::add);
        if (!again.equals(simulation.log.decisions)) {
            assertThat(again).as(run).isEqualTo(simulation.log.decisions);
        }
        assertThat(state.equals(simulation.log.state)).as(run).isTrue();
    }
}
