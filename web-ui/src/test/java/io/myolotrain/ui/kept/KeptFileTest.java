package io.myolotrain.ui.kept;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.ui.FakeFeed;
import io.myolotrain.ui.PoolStory;
import io.myolotrain.ui.live.Kept;
import io.myolotrain.ui.live.LiveState;
import io.myolotrain.ui.live.PastStates;
import io.myolotrain.ui.live.PastView;
import io.myolotrain.ui.live.SeriesView;
import io.myolotrain.ui.port.ClusterFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("F03 A server that is started again goes on from what it had read")
class KeptFileTest {
    @TempDir
    Path directory;

    private final FakeFeed feed = new FakeFeed();
    private final PoolStory story = new PoolStory(1_000_000);

    private LiveState live() {
        return new LiveState(FakeFeed.POOL, feed.source(), feed::open, () -> 5_000_000L);
    }

    private KeptFile file() {
        return new KeptFile(directory, FakeFeed.POOL);
    }

    private Path only() throws IOException {
        try (var files = Files.list(directory)) {
            return files.reduce((one, other) -> {
                        throw new AssertionError("one file: " + one + " " + other);
                    })
                    .orElseThrow();
        }
    }

    /** Changes, refusals, readings that are not finite, a resume from an older step, a second attempt. */
    private List<Decision> history(Random random) {
        var history = new ArrayList<>(story.runningJob("demo"));
        long step = 0;
        long generation = 1;
        for (int i = 0; i < 900; i++) {
            step++;
            history.add(story.after(10 + random.nextInt(90))
                    .step("demo", generation, step, random.nextInt(50) == 0 ? Double.NaN : 3.0 / step));
            if (i % 200 == 150) {
                generation++;
                step = Math.max(0, step - random.nextInt(20));
                history.add(story.accepted(
                        "change-" + i,
                        "demo",
                        PoolStory.changes("workers", "4"),
                        story.planIssued("demo", generation, "workers 2 → 4", "w1", "w2", "w3", "w4")));
                history.add(story.activated("demo", generation, step + 1, 12_300));
                history.add(story.refused("bad-" + i, "demo", "workers in [1, 8]", "workers=0", "ask for one"));
                history.add(story.checkpoint("demo", step));
            }
            if (i == 500) {
                step = 0;
                history.add(story.decision(new Fact.JobAccepted(PoolStory.spec("demo", "a2", 2))));
                generation++;
                history.add(story.planned("again", "demo", generation, "submitted again", "w1", "w2"));
                history.add(story.activated("demo", generation, 1, 0));
            }
        }
        return history;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whoGoesOnKnowsWhatOneKnowsThatHasReadAll(long seed) throws IOException {
        var random = new Random(seed);
        List<ClusterFeed.Item> all =
                history(random).stream().<ClusterFeed.Item>map(feed::decided).toList();
        int cut = 20 + random.nextInt(all.size() - 400);
        LiveState whole = live();
        whole.apply(all);
        LiveState before = live();
        before.apply(all.subList(0, cut));
        file().write(before.keep().orElseThrow());

        Kept kept = file().read().orElseThrow();
        LiveState after = live();
        after.restore(kept);
        after.apply(all.subList(cut, all.size()));

        assertThat(kept.reached().nextOffsets()).isEqualTo(new TreeMap<>(java.util.Map.of(0, (long) cut)));
        assertThat(kept.reached().isAt(((ClusterFeed.Decided) all.get(cut - 1)).decision()))
                .isTrue();
        assertThat(after.cluster()).isEqualTo(whole.cluster());
        assertThat(after.poolView()).isEqualTo(whole.poolView());
        assertThat(after.jobs()).as("seed %d", seed).isEqualTo(whole.jobs());
        assertThat(after.events(null, null, null, "", 5_000)).isEqualTo(whole.events(null, null, null, "", 5_000));
        assertThat(after.state("").changes()).isEqualTo(whole.state("").changes());
        assertThat(after.runs()).isEqualTo(whole.runs());
        for (String attempt : List.of("a1", "a2")) {
            assertThat(loss(after, attempt)).as("seed %d, %s", seed, attempt).isEqualTo(loss(whole, attempt));
        }
        for (int i = 0; i < 20; i++) {
            long offset = random.nextInt(all.size());
            assertThat(past(after, offset))
                    .as("seed %d, offset %d", seed, offset)
                    .isEqualTo(past(whole, offset));
        }
    }

    private static SeriesView loss(LiveState live, String attempt) {
        return live.series(
                        "demo", LiveState.LOSS, new LiveState.Range(attempt, 0, Long.MAX_VALUE, 5_000, Long.MAX_VALUE))
                .orElseThrow();
    }

    private PastView past(LiveState live, long offset) {
        PastStates.Start start = Objects.requireNonNull(live.pastStart(offset));
        return live.pastView(feed.archive
                .read(records -> PastStates.refold(records, start, offset))
                .toCompletableFuture()
                .join());
    }

    @Test
    void whatIsDamagedCutShortOrOfAnotherPoolIsNotGoneOnFrom() throws IOException {
        LiveState live = live();
        live.apply(history(new Random(7)).stream()
                .<ClusterFeed.Item>map(feed::decided)
                .toList());
        file().write(live.keep().orElseThrow());
        byte[] good = Files.readAllBytes(only());
        assertThat(new KeptFile(directory, new PoolId("another")).read()).isEmpty();
        var random = new Random(11);
        for (int i = 0; i < 200; i++) {
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(only(), bad);
            assertThat(file().read()).isEmpty();
        }
        for (int length : new int[] {0, 7, 40, 44, 48, good.length / 2, good.length - 1}) {
            Files.write(only(), java.util.Arrays.copyOf(good, length));
            assertThat(file().read()).isEmpty();
        }
        Files.write(only(), good);
        assertThat(file().read()).isPresent();
    }

    @Test
    void withoutADecisionThereIsNothingToKeepAndWithoutAFileNothingToGoOnFrom() {
        assertThat(live().keep()).isEmpty();
        assertThat(file().read()).isEmpty();
    }

    @Test
    void anotherLayoutHasAnotherFingerprint() {
        record One(long a, List<Inner> inner) {}
        record Other(long b, List<Inner> inner) {}
        assertThat(Layout.of(One.class)).isEqualTo(Layout.of(One.class)).isNotEqualTo(Layout.of(Other.class));
        assertThat(Layout.of(Kept.class)).hasSize(32).isNotEqualTo(Layout.of(Kept.Row.class));
    }

    private record Inner(int c) {}
}
