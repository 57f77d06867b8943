package io.myolotrain.ui.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.ui.FakeFeed;
import io.myolotrain.ui.PoolStory;
import io.myolotrain.ui.port.ClusterFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PastStatesTest {
    private final FakeFeed feed = new FakeFeed();
    private final PastStates past = new PastStates();
    private final ClusterState empty = ClusterState.empty(FakeFeed.POOL);
    private final List<ClusterState> states = new ArrayList<>();

    @Test
    void everyOffsetIsFoldedToTheStateThatWas() {
        var story = new PoolStory(1_000_000);
        tell(story.runningJob("demo"));
        for (int step = 1; step <= 1_000; step++) {
            tell(List.of(story.after(10).step("demo", 1, step, 1.0 / step)));
        }
        for (long seed = 0; seed < 5; seed++) {
            var random = new Random(seed);
            for (int i = 0; i < 50; i++) {
                int offset = random.nextInt(states.size());
                assertThat(at(offset)).as("seed %d, offset %d", seed, offset).isEqualTo(states.get(offset));
            }
        }
        assertThat(at(-1)).isEqualTo(empty);
        assertThat(at(Long.MAX_VALUE)).isEqualTo(states.get(states.size() - 1));
    }

    @Test
    void theMemoryForTheBeginningStaysBoundedHoweverLongTheLog() {
        var story = new PoolStory(1_000_000);
        tell(story.runningJob("demo"));
        ClusterState state = states.get(states.size() - 1);
        for (int step = 1; step <= 200_000; step++) {
            Decision decision = story.after(1).step("demo", 1, step, 1);
            past.add(decision, state, new ClusterFeed.Place(0, decision.offset()));
        }
        assertThat(past.size()).isLessThanOrEqualTo(PastStates.SNAPSHOTS_MAX);
        PastStates.Start start = Objects.requireNonNull(past.start(100_000, empty));
        assertThat(100_000 - start.fromTopicOffset()).isBetween(0L, 1_024L);
    }

    private ClusterState at(long offset) {
        PastStates.Start start = Objects.requireNonNull(past.start(offset, empty));
        return feed.archive
                .read(records -> PastStates.refold(records, start, offset))
                .toCompletableFuture()
                .join()
                .state();
    }

    private void tell(List<Decision> decisions) {
        for (Decision decision : decisions) {
            ClusterFeed.Decided decided = feed.decided(decision);
            ClusterState before = states.isEmpty() ? empty : states.get(states.size() - 1);
            ClusterState after = before.apply(decision);
            states.add(after);
            past.add(decision, after, decided.place());
        }
    }
}
