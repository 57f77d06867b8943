package io.myolotrain.ui.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.myolotrain.core.sampling.Spans;
import io.myolotrain.core.sampling.Spans.Collective;
import io.myolotrain.core.sampling.Spans.Operation;
import io.myolotrain.core.sampling.Spans.Phase;
import io.myolotrain.core.sampling.Spans.Span;
import io.myolotrain.ui.frames.SpanTrack.RankStep;
import io.myolotrain.ui.frames.Timeline.Straggler;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TimelinesTest {
    private static final long ALL_REDUCED_AT = 10_000; // µs from the begin of each step

    @Test
    void ranksThatArriveAlmostTogetherAreNoStragglers() {
        Timeline timeline = timeline(5_000, 5_020, 5_050);

        assertThat(timeline.commonCollectives()).isEqualTo(2);
        assertThat(timeline.stragglers()).isEmpty();
    }

    @Test
    void whoKeepsTheOthersWaitingIsNamedWithWhatItCost() {
        Timeline timeline = timeline(5_000, 8_000, 5_000);

        assertThat(timeline.stragglers()).singleElement().satisfies(straggler -> {
            assertThat(straggler.rank()).isEqualTo(1);
            assertThat(straggler.share()).isEqualTo(1);
            assertThat(straggler.meanLateMicros()).isEqualTo(3_000);
            assertThat(straggler.waitedShare()).isEqualTo(0.3, within(1e-9));
        });
    }

    @Test
    void severalStragglersComeInTheOrderOfTheirCost() {
        var window = new TreeMap<Long, SortedMap<Integer, RankStep>>();
        window.put(1L, step(1, 1_000, 2_000, 1_000));
        window.put(2L, step(2, 1_000, 1_000, 5_000));

        assertThat(Timelines.of(window, 1, 2).stragglers())
                .extracting(Straggler::rank)
                .containsExactly(2, 1);
    }

    @Test
    void aRankAloneWaitsForNobody() {
        Timeline timeline = timeline(5_000);

        assertThat(timeline.commonCollectives()).isZero();
        assertThat(timeline.stragglers()).isEmpty();
    }

    private static Timeline timeline(long... arrivals) {
        var window = new TreeMap<Long, SortedMap<Integer, RankStep>>();
        window.put(1L, step(1, arrivals));
        window.put(2L, step(2, arrivals));
        return Timelines.of(window, 1, 2);
    }

    /** Each rank computes until it arrives at the step's all-reduce, which ends when all can have arrived. */
    private static SortedMap<Integer, RankStep> step(long step, long... arrivals) {
        var ranks = new TreeMap<Integer, RankStep>();
        for (int rank = 0; rank < arrivals.length; rank++) {
            var computed = new Span(Phase.FORWARD, 0, arrivals[rank], Optional.empty());
            var reduced = new Span(
                    Phase.ALL_REDUCE,
                    arrivals[rank],
                    ALL_REDUCED_AT,
                    Optional.of(new Collective(Operation.ALL_REDUCE, step, 1_024)));
            var spans = new Spans("step.spans", step * 1_000_000, List.of(computed, reduced));
            ranks.put(rank, new RankStep(rank, "w" + rank, 1, spans.baseAtMicros(), spans));
        }
        return ranks;
    }
}
