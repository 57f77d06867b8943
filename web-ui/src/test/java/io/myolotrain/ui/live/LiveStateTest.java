package io.myolotrain.ui.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.diagnosis.Finding;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Summary;
import io.myolotrain.core.sampling.Window;
import io.myolotrain.ui.FakeFeed;
import io.myolotrain.ui.PoolStory;
import io.myolotrain.ui.live.ChangeView.Status;
import io.myolotrain.ui.port.ClusterFeed;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveStateTest {
    private final PoolStory story = new PoolStory(1_000_000);
    private final FakeFeed feed = new FakeFeed();
    private long nowMs = 2_000_000;
    private final LiveState live = new LiveState(FakeFeed.POOL, feed.source(), feed::open, () -> nowMs);

    @BeforeEach
    void aRunningJob() {
        story.runningJob("demo").forEach(this::tell);
    }

    @Test
    void showsWhoHasWhichRankAndWhoStandsBy() {
        PoolView pool = live.poolView();
        assertThat(pool.members()).isEqualTo(2);
        assertThat(pool.standby()).isEqualTo(2);
        assertThat(pool.workers())
                .filteredOn(w -> w.state() == WorkerView.State.MEMBER)
                .extracting(WorkerView::id, WorkerView::rank, WorkerView::generation)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("w1", 0, 1L),
                        org.assertj.core.groups.Tuple.tuple("w2", 1, 1L));
    }

    @Test
    void progressGivesStepLossRateAndTimeLeft() {
        for (int step = 1; step <= 100; step++) {
            story.after(50);
            tell(story.step("demo", 1, step, 3.0));
        }
        JobView.Progress progress = live.job("demo").orElseThrow().progress();
        assertThat(progress.step()).isEqualTo(100);
        assertThat(progress.loss()).isEqualTo(3.0);
        assertThat(progress.stepsPerSecond()).isEqualTo(20.0);
        assertThat(progress.tokensPerSecond()).isEqualTo(20.0 * 16 * PoolStory.SEQUENCE_LENGTH);
        assertThat(progress.etaMs()).isEqualTo(1_900 * 50);
    }

    @Test
    void aStallNamesRankWorkerCollectiveAndWhoHasNotArrivedWithinTwoSeconds() {
        live.apply(List.of(new ClusterFeed.Position("", new TreeMap<>())));
        for (int second = 0; second < 5; second++) {
            listen(story.beat("w1", 0), story.beat("w2", 1));
        }
        assertThat(findings()).isEmpty();

        listen(story.beat("w1", 0, "w2")); // w2 is frozen
        listen(story.beat("w1", 0, "w2"));

        assertThat(findings().get(0).severity()).isEqualTo(Finding.Severity.CAUSE);
        assertThat(findings().get(0).worker()).isEqualTo("w2");
        assertThat(findings().get(0).rank()).isEqualTo(1);
        assertThat(findings().get(0).what())
                .contains("rank 1 (worker w2#1) has not arrived at AllReduce #77 of generation 1");
        assertThat(live.drain()).anyMatch(message -> message.type().equals("job"));

        listen(story.beat("w1", 0), story.beat("w2", 1));
        assertThat(findings()).isEmpty();
        assertThat(live.drain()).anyMatch(message -> message.type().equals("job"));
    }

    @Test
    void nobodyIsCalledSilentWhileThePageItselfHearsNothing() {
        live.apply(List.of(new ClusterFeed.Position("", new TreeMap<>())));
        for (int second = 0; second < 5; second++) {
            listen(story.beat("w1", 0, "w2"), story.beat("w2", 1));
        }
        assertThat(findings()).isNotEmpty();

        live.apply(List.of(new ClusterFeed.Position("connection refused", new TreeMap<>())));
        listen();
        assertThat(findings()).isEmpty();
        live.apply(List.of(new ClusterFeed.Position("", new TreeMap<>())));
        listen(story.beat("w1", 0, "w2"));
        assertThat(findings()).as("before anybody could be heard again").isEmpty();
    }

    private void listen(ClusterFeed.Beat... beats) {
        live.apply(List.of(beats));
        story.after(1_000);
        nowMs += 1_000;
        live.examine();
    }

    private List<Finding> findings() {
        return live.job("demo").orElseThrow().findings();
    }

    @Test
    void aLossThatIsNotFiniteIsToldInWords() {
        tell(story.step("demo", 1, 1, Double.NaN));
        JobView.Progress progress = live.job("demo").orElseThrow().progress();
        assertThat(progress.loss()).isNull();
        assertThat(progress.lossText()).isEqualTo("NaN");
    }

    @Test
    void aChangeIsFollowedFromPublicationToTheStepAtWhichItHolds() {
        live.published("c1", "demo", PoolStory.changes("workers", "4"), "ana", 1_000_000);
        assertThat(status("c1")).isEqualTo(Status.PUBLISHED);
        tell(story.accepted("c1", "demo", PoolStory.changes("workers", "4")));
        assertThat(status("c1")).isEqualTo(Status.ACCEPTED);
        tell(story.planned("tick", "demo", 2, "workers 2 → 4", "w1", "w2", "w3", "w4"));
        assertThat(status("c1")).isEqualTo(Status.PLANNED);
        tell(story.activated("demo", 2, 31, 12_300));
        ChangeView change = live.change("c1").orElseThrow();
        assertThat(change.status()).isEqualTo(Status.APPLIED);
        assertThat(change.firstStep()).isEqualTo(31);
        assertThat(change.stallMicros()).isEqualTo(12_300);
        assertThat(change.requestedBy()).isEqualTo("ana");
        assertThat(live.poolView().members()).isEqualTo(4);
    }

    @Test
    void aDecisionThatIsFasterThanThePublishersAnswerIsNotForgotten() {
        tell(story.accepted("c1", "demo", PoolStory.changes("learningRate", "0.001")));
        live.published("c1", "demo", PoolStory.changes("learningRate", "0.001"), "ana", 1_000_000);
        assertThat(status("c1")).isEqualTo(Status.ACCEPTED);
    }

    @Test
    void aRefusalCarriesRuleValueAndNextStep() {
        live.published("c1", "demo", PoolStory.changes("workers", "0"), "ana", 1_000_000);
        tell(story.refused("c1", "demo", "workers must be >= 1", "workers=0", "ask for 1 to 4"));
        ChangeView change = live.change("c1").orElseThrow();
        assertThat(change.status()).isEqualTo(Status.REFUSED);
        assertThat(change.refusals()).singleElement().satisfies(r -> {
            assertThat(r.rule()).isEqualTo("workers must be >= 1");
            assertThat(r.value()).isEqualTo("workers=0");
            assertThat(r.nextStep()).isEqualTo("ask for 1 to 4");
        });
        assertThat(live.events(null, null, "demo", "ask for 1", 10).rows()).hasSize(1);
    }

    @Test
    void aWithdrawnPlanSendsTheChangeBackAndTheNextPlanCarriesIt() {
        tell(story.accepted(
                "c1",
                "demo",
                PoolStory.changes("workers", "4"),
                story.planIssued("demo", 2, "workers 2 → 4", "w1", "w2", "w3", "w4")));
        tell(story.decision(new Fact.PlanWithdrawn(new JobId("demo"), new Generation(2), "w4 could not prepare")));
        assertThat(status("c1")).isEqualTo(Status.ACCEPTED);
        assertThat(live.change("c1").orElseThrow().note()).contains("w4 could not prepare");
        tell(story.planned("p3", "demo", 3, "again", "w1", "w2", "w3"));
        tell(story.activated("demo", 3, 40, 1_000));
        assertThat(status("c1")).isEqualTo(Status.APPLIED);
    }

    /** Case F09: each resume works like the first; another metric has its own steps. */
    @Test
    void noReadingIsRefusedBecauseItsStepIsSmallerThanOneBefore() {
        for (int generation = 1; generation <= 4; generation++) {
            if (generation > 1) {
                tell(story.planned("p" + generation, "demo", generation, "resume", "w1", "w2"));
                tell(story.activated("demo", generation, 111, 0));
            }
            for (int step = generation == 1 ? 1 : 111; step <= 161; step++) {
                tell(story.after(50).step("demo", generation, step, generation));
                live.apply(List.of(new ClusterFeed.Measured(point("train.loss", generation, step, 1, generation))));
            }
        }
        for (int step = 0; step <= 4; step++) {
            live.apply(List.of(new ClusterFeed.Measured(point("evaluation", 4, step, 1, 9))));
        }
        for (String name : List.of(LiveState.LOSS, "train.loss")) {
            SeriesView series = series(name);
            assertThat(series.main().steps()).as(name).hasSize(161).isSorted();
            assertThat(series.main().last().get(160)).as(name).isEqualTo(4);
            assertThat(series.main().last().get(109)).as(name).isEqualTo(1);
            assertThat(series.abandoned().steps()).as(name).hasSize(3 * 51);
            assertThat(series.readings()).as(name).isEqualTo(161 + 3 * 51);
        }
        assertThat(series("evaluation").main().steps()).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void theSeriesIsShownAsItWasWhileAnOlderGenerationWasTheNewest() {
        for (int step = 1; step <= 15; step++) {
            tell(story.after(50).step("demo", 1, step, 1));
        }
        tell(story.planned("p2", "demo", 2, "resume", "w1", "w2"));
        tell(story.activated("demo", 2, 11, 0));
        for (int step = 11; step <= 20; step++) {
            tell(story.after(50).step("demo", 2, step, 2));
        }
        SeriesView then = live.series("demo", LiveState.LOSS, new LiveState.Range("", 0, 14, 1_000, 1))
                .orElseThrow();
        assertThat(then.main().steps()).hasSize(14);
        assertThat(then.main().last()).containsOnly(1.0);
        assertThat(then.abandoned().steps()).isEmpty();
        assertThat(series(LiveState.LOSS).abandoned().steps()).hasSize(5);
    }

    /** Case F10: one cut for all metrics of the run, whatever their pace. */
    @Test
    void stepsOfAnEarlierGenerationBeyondAResumeAreAbandonedInEverySeries() {
        for (int step = 1; step <= 15; step++) {
            tell(story.after(50).step("demo", 1, step, 3.0));
            live.apply(List.of(new ClusterFeed.Measured(point("other", 1, step, 1, 7))));
        }
        tell(story.planned("p2", "demo", 2, "all workers were lost", "w3", "w4"));
        tell(story.activated("demo", 2, 11, 0));
        for (String name : List.of(LiveState.LOSS, "other")) {
            SeriesView series = series(name);
            assertThat(series.main().steps()).as(name).endsWith(10L);
            assertThat(series.abandoned().steps()).as(name).containsExactly(11L, 12L, 13L, 14L, 15L);
        }
    }

    /** Case F03: only what somebody looks at is read; where its begin and end are is known from the decisions. */
    @Test
    void aRunIsOpenedWhenItIsLookedAtAndNotBefore() {
        tell(story.after(50).step("demo", 1, 1, 1));
        series(LiveState.LOSS);
        assertThat(feed.opened()).as("the loss is in the decisions").isEmpty();
        series("train.loss");
        series("train.learning_rate");
        assertThat(feed.opened()).hasSize(1);
        assertThat(feed.opened().get(0).run()).isEqualTo(new ClusterFeed.Run(new JobId("demo"), "a1"));
        assertThat(feed.opened().get(0).sinceMs()).isPositive();
        assertThat(feed.opened().get(0).untilMs()).as("it goes on").isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatWasMeasuredOfAClosedRunIsForgottenAndWhatWasDecidedStays() {
        tell(story.after(50).step("demo", 1, 1, 1));
        live.apply(List.of(new ClusterFeed.Measured(point("m", 1, 1, 1, 5))));
        assertThat(series("m").unread()).isEqualTo(new SeriesView.Unread(-1, ""));
        var run = new ClusterFeed.Run(new JobId("demo"), "a1");
        live.apply(List.of(new ClusterFeed.RunReading(run, 1, false, "")));
        assertThat(series("m").unread()).isEqualTo(new SeriesView.Unread(1, ""));
        live.apply(List.of(new ClusterFeed.RunReading(run, 1, true, "")));
        assertThat(series("m").unread()).isNull();
        live.drain();
        live.apply(List.of(new ClusterFeed.RunClosed(run)));
        assertThat(live.drain())
                .as("pages that show it ask again")
                .extracting(StreamMessage::type)
                .containsExactly("reset");
        assertThat(series("m").readings()).isZero();
        assertThat(series(LiveState.LOSS).readings()).isEqualTo(1);
        live.apply(List.of(new ClusterFeed.Measured(point("m", 1, 1, 10, 5))));
        assertThat(series("m").readings()).as("no finer roll-up is remembered").isPositive();
    }

    @Test
    void theFinestRollUpOfAMetricCounts() {
        live.apply(List.of(
                new ClusterFeed.Measured(point("m", 1, 1, 1, 5)),
                new ClusterFeed.Measured(point("m", 1, 2, 1, 6)),
                new ClusterFeed.Measured(point("m", 1, 1, 10, 5))));
        assertThat(series("m").readings()).isEqualTo(2);
        assertThat(series("m").main().last()).containsExactly(5.0, 6.0);
    }

    @Test
    void namesOfSeriesComeInPagesAndAreSearchedHere() {
        for (int i = 0; i < 250; i++) {
            live.apply(List.of(new ClusterFeed.Measured(point(String.format("layer.%03d.norm", i), 1, 1, 1, 1))));
        }
        SeriesView.Names first = live.seriesNames("demo", "", "layer", "", 100).orElseThrow();
        assertThat(first.names()).hasSize(100);
        assertThat(first.total()).isEqualTo(250);
        SeriesView.Names second =
                live.seriesNames("demo", "", "layer", first.next(), 200).orElseThrow();
        assertThat(second.names()).hasSize(150);
        assertThat(second.next()).isNull();
        assertThat(live.seriesNames("demo", "", "017", "", 10).orElseThrow().names())
                .extracting(SeriesView.Name::name)
                .containsExactly("layer.017.norm");
    }

    @Test
    void theEventListIsBoundedAndSaysHowMuchItForgot() {
        for (int i = 0; i < LiveState.EVENTS_MAX + 10; i++) {
            tell(story.checkpoint("demo", i));
        }
        EventLog.Page page = live.events(null, null, null, "", 5);
        assertThat(page.rows()).hasSize(5);
        assertThat(page.more()).isTrue();
        assertThat(page.dropped()).isEqualTo(story.runningJob("other").size() + 10L);
        assertThat(live.health().eventsKept()).isEqualTo(LiveState.EVENTS_MAX);
    }

    @Test
    void eventsArePagedByPlaceInBothDirections() {
        EventLog.Page newest = live.events(null, null, null, "", 3);
        EventLog.Page older =
                live.events(EventLog.Cursor.parse(newest.rows().get(2).id()), null, null, "", 3);
        assertThat(older.rows().get(0).offset()).isLessThan(newest.rows().get(2).offset());
        EventLog.Page after =
                live.events(null, EventLog.Cursor.parse(older.rows().get(0).id()), null, "", 3);
        assertThat(after.rows())
                .extracting(EventRow::id)
                .isEqualTo(newest.rows().stream().map(EventRow::id).toList());
    }

    @Test
    void openPagesHearOnlyWhatChanged() {
        live.drain();
        assertThat(live.drain()).isEmpty();
        tell(story.after(50).step("demo", 1, 1, 3.0));
        assertThat(live.drain()).extracting(StreamMessage::type).containsExactly("progress", "points");
        tell(story.checkpoint("demo", 1));
        assertThat(live.drain()).extracting(StreamMessage::type).containsExactly("pool", "jobs", "job", "events");
    }

    @Test
    void aFloodBecomesOneReset() {
        live.drain();
        for (int i = 0; i < Outbox.EVENTS_MAX + 1; i++) {
            tell(story.checkpoint("demo", i));
        }
        assertThat(live.drain()).extracting(StreamMessage::type).containsExactly("reset");
        assertThat(live.drain()).isEmpty();
    }

    @Test
    void aJobIdThatIsUsedAgainStartsANewAttempt() {
        tell(story.after(50).step("demo", 1, 1, 3.0));
        tell(story.decision(new Fact.JobAccepted(PoolStory.spec("demo", "a2", 2))));
        JobView job = live.job("demo").orElseThrow();
        assertThat(job.attempt()).isEqualTo("a2");
        assertThat(job.generations()).isEmpty();
        assertThat(series(LiveState.LOSS).main().steps()).isEmpty();
    }

    @Test
    void anotherPoolsDecisionsAreNotShown() {
        live.apply(List.of(new ClusterFeed.Decided(
                new PoolId("other"), story.jobAccepted("foreign", 1), new ClusterFeed.Place(0, 0))));
        assertThat(live.job("foreign")).isEmpty();
    }

    @Test
    void aDecisionThatCannotBeFoldedIsNamedAndTheRestGoesOn() {
        tell(story.activated("demo", 99, 5, 0));
        assertThat(live.health().foldProblem()).startsWith("decision at offset");
        tell(story.after(50).step("demo", 1, 1, 2.5));
        assertThat(live.job("demo").orElseThrow().progress().loss()).isEqualTo(2.5);
    }

    @Test
    void aLogThatWasCreatedAnewLeavesNothingOfTheOldOne() {
        live.apply(List.of(new ClusterFeed.StartedAnew()));
        assertThat(live.jobs()).isEmpty();
        assertThat(live.poolView().workers()).isEmpty();
        assertThat(live.events(null, null, null, "", 10).rows()).isEmpty();
        assertThat(live.drain()).extracting(StreamMessage::type).containsExactly("reset");
    }

    @Test
    void healthSaysWhereItLooksHowFarItIsAndWhatWasRejected() {
        assertThat(live.health().status()).isEqualTo(HealthView.Status.CATCHING_UP);
        var lag = new TreeMap<String, Long>();
        lag.put("decisions", 7L);
        live.apply(List.of(
                new ClusterFeed.Rejected("config-changes", 0, 5, 1, "not Avro"), new ClusterFeed.Position("", lag)));
        assertThat(live.health().lagTotal()).isEqualTo(7);
        assertThat(live.health().deadLetters().count()).isEqualTo(1);
        live.apply(List.of(new ClusterFeed.Position("", new TreeMap<>())));
        assertThat(live.health().status()).isEqualTo(HealthView.Status.OK);
        live.apply(List.of(new ClusterFeed.Position("no answer within 3000 ms", new TreeMap<>())));
        assertThat(live.health().status()).isEqualTo(HealthView.Status.UNREACHABLE);
        assertThat(live.health().lastEventAtMs()).isNotNull();
    }

    private void tell(Decision decision) {
        live.apply(List.of(feed.decided(decision)));
    }

    private Status status(String eventId) {
        return live.change(eventId).orElseThrow().status();
    }

    private SeriesView series(String name) {
        return live.series("demo", name, LiveState.Range.all(1_000)).orElseThrow();
    }

    private static MetricPoint point(String name, long generation, long step, long width, double value) {
        var line = new Line(FakeFeed.POOL, new JobId("demo"), "a1", new Generation(generation));
        var summary = new Summary(value, value, value, value, width, 0, 0, 0, -1);
        return new MetricPoint(line, name, Window.steps(width), 0, step, step + width - 1, 1, 1, summary);
    }
}
