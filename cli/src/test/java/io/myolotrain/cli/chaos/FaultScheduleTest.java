package io.myolotrain.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultScheduleTest {
    private static final List<String> TEN =
            IntStream.range(0, 10).mapToObj(i -> "worker-" + i).toList();

    private static List<Fault> faults(long seed, double share, List<String> workers) {
        var settings = new FaultSchedule.Settings(
                seed,
                List.of(Fault.Kind.KILL, Fault.Kind.HANG, Fault.Kind.REMOVE),
                share,
                Duration.ofSeconds(10),
                Duration.ofSeconds(4),
                Duration.ofMinutes(10));
        var faults = new ArrayList<Fault>();
        new FaultSchedule(settings, workers).forEachRemaining(faults::add);
        return faults;
    }

    @Test
    void theSeedDecidesEverything() {
        assertThat(faults(7, 0.3, TEN)).isEqualTo(faults(7, 0.3, TEN)).isNotEqualTo(faults(8, 0.3, TEN));
    }

    @Test
    void eachFaultHitsItsShareOfDifferentWorkers() {
        assertThat(faults(1, 0.3, TEN)).hasSizeBetween(45, 75).allSatisfy(fault -> assertThat(fault.targets())
                .hasSize(3)
                .doesNotHaveDuplicates()
                .isSubsetOf(TEN));
        assertThat(faults(1, 0.3, List.of("only")))
                .allSatisfy(fault -> assertThat(fault.targets()).containsExactly("only"));
        assertThat(faults(1, 1, TEN))
                .allSatisfy(fault -> assertThat(fault.targets()).hasSize(10));
    }

    @Test
    void timesGrowWithinTheSchedule() {
        List<Fault> faults = faults(3, 0.5, TEN);
        assertThat(faults).extracting(Fault::after).isSorted().doesNotHaveDuplicates();
        assertThat(faults).last().satisfies(fault -> assertThat(fault.after())
                .isLessThanOrEqualTo(Duration.ofMinutes(10)));
    }

    @Test
    void onlyAHangEnds() {
        assertThat(faults(3, 0.5, TEN))
                .allSatisfy(fault -> assertThat(fault.lasting().isZero()).isEqualTo(fault.kind() != Fault.Kind.HANG));
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSS", "DELAY"})
    void aFaultOfTheNetworkHitsNoWorkerAndEnds(Fault.Kind kind) {
        var settings = new FaultSchedule.Settings(
                5, List.of(kind), 0.3, Duration.ofSeconds(10), Duration.ofSeconds(4), Duration.ofMinutes(1));
        assertThat(new FaultSchedule(settings, TEN).next()).satisfies(fault -> {
            assertThat(fault.kind()).isEqualTo(kind);
            assertThat(fault.targets()).isEmpty();
            assertThat(fault.lasting()).isEqualTo(Duration.ofSeconds(4));
        });
    }

    @Test
    void whereNobodyRunsThereIsNothingToBreak() {
        assertThat(faults(3, 0.5, List.of())).isEmpty();
    }
}
