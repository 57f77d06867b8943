package io.myolotrain.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.ui.port.ClusterFeed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page as a person sees it, in headless Chromium. Any console error, such as a broken content policy, fails the test. */
class UiBrowserIT {
    private static final String LOSS = "Loss of demo";
    private static final Path CHROMIUM =
            Path.of(Optional.ofNullable(System.getenv("CHROMIUM")).orElse("/usr/bin/chromium"));
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final double PATIENCE_MS = 60_000;
    private static Playwright playwright;
    private static Browser browser;

    private final FakeFeed feed = new FakeFeed();
    private final FakePublisher publisher = new FakePublisher();
    private final PoolStory story = new PoolStory(System.currentTimeMillis() - 60_000);
    private final List<String> consoleErrors = new CopyOnWriteArrayList<>();
    private UiServer server;
    private Page page;

    @BeforeAll
    static void openBrowser() {
        assumeTrue(Files.isExecutable(CHROMIUM), "no browser at " + CHROMIUM + ": install chromium or set CHROMIUM");
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(CHROMIUM)
                        .setTimeout(120_000)
                        .setArgs(List.of(
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-quic",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync")));
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
            playwright.close();
        }
    }

    @BeforeEach
    void start() {
        server = UiServer.start(feed, publisher, feed.archive, UiOptions.loopback(0, FakeFeed.POOL));
    }

    @AfterEach
    void noConsoleErrorAndNothingLeft() {
        if (page != null) {
            page.close();
        }
        server.close();
        assertThat(consoleErrors).isEmpty();
    }

    @Test
    void showsTheJobItsWorkersAndWhyThingsHappened() {
        trainedJob();
        open(1_280, 900);
        assertThat(heading("demo")).isVisible();
        assertThat(page.locator(".job-title .badge").first()).containsText("running");
        assertThat(figure("Loss")).containsText("step 300");
        assertThat(figure("Workers")).containsText("dp 4 × tp 1 × pp 1");
        assertThat(worker("w3")).containsText("member");
        assertThat(worker("w3").locator("td").nth(1)).hasText("2");
        assertThat(page.locator(".row").filter(having("w5#1 joined"))).isVisible();
        assertThat(page.locator(".row").filter(having("because workers 2 → 4"))).isVisible();
        assertThat(page.locator(".plot canvas")).hasCount(2);
        page.screenshot(shot("job-1280-dark"));
    }

    @Test
    void aJobThatStandsStillSaysWhoHasNotArrivedWhere() {
        story.runningJob("demo").forEach(feed::emit);
        feed.emit(story.after(50).step("demo", 1, 12, 4.0));
        feed.caughtUp();
        open(1_280, 900);
        Locator stalled = page.locator(".stalled");
        assertThat(figure("Loss")).containsText("step 12");
        assertThat(stalled).hasCount(0);

        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (stalled.count() == 0 && System.nanoTime() < until) { // a heartbeat is a thing of the present
            feed.emit(story.after(500).beat("w1", 0, "w2"));
            page.waitForTimeout(500);
        }
        assertThat(stalled).containsText("rank 1 (worker w2#1) has not arrived at AllReduce #77 of generation 1");
        stalled.locator("summary").click();
        assertThat(stalled).containsText("rank 0 (worker w1#1) waits in AllReduce #77 for 900 ms");
        page.screenshot(shot("job-stalled"));
    }

    @Test
    void newPointsArriveWithoutAReload() {
        trainedJob();
        open(1_280, 900);
        assertThat(figure("Loss")).containsText("step 300");
        String before = chart(LOSS).locator(".plot-frame").getAttribute("aria-label");
        for (int step = 301; step <= 340; step++) {
            feed.emit(story.after(50).step("demo", 2, step, 1.25));
        }
        assertThat(figure("Loss")).containsText("step 340");
        assertThat(figure("Loss")).containsText("1.25");
        assertThat(chart(LOSS).locator(".plot-frame"))
                .hasAttribute("aria-label", java.util.regex.Pattern.compile(".*to 340, last value 1\\.25.*"));
        assertThat(before).contains("to 300");
    }

    @Test
    void aChangeIsPublishedAndItsWayIsShownUntilItIsApplied() throws Exception {
        story.runningJob("demo").forEach(feed::emit);
        feed.emit(story.after(50).step("demo", 1, 1, 4.0));
        feed.caughtUp();
        open(1_280, 900);
        assertThat(page.locator("button[type=submit]")).isDisabled();
        page.locator("input[name=workers]").fill("4");
        page.locator("button[type=submit]").click();
        var published = publisher.published.poll(120, TimeUnit.SECONDS);
        assertThat(published.request().changes()).isEqualTo(PoolStory.changes("workers", "4"));
        Locator way = page.locator("[data-event='" + published.eventId() + "']");
        assertThat(way).containsText("waits for the coordinator");
        feed.emit(story.accepted(published.eventId(), "demo", PoolStory.changes("workers", "4")));
        assertThat(way).containsText("waits for a plan");
        feed.emit(story.planned("tick", "demo", 2, "workers 2 → 4", "w1", "w2", "w3", "w4"));
        assertThat(way).containsText("planned, generation 2");
        assertThat(worker("w4")).containsText("joining");
        page.screenshot(shot("change-under-way"));
        feed.emit(story.activated("demo", 2, 31, 12_300));
        assertThat(way).containsText("applied at step 31");
        assertThat(way).containsText("stall 12 ms");
        assertThat(worker("w4")).containsText("member");
        assertThat(figure("Last stall")).containsText("12 ms");
    }

    @Test
    void aRefusalShowsRuleValueAndNextStep() throws Exception {
        story.runningJob("demo").forEach(feed::emit);
        feed.caughtUp();
        open(1_280, 900);
        page.getByText("Any other setting").click();
        page.locator("textarea").fill("workres=4");
        page.locator("button[type=submit]").click();
        String eventId = publisher.published.poll(120, TimeUnit.SECONDS).eventId();
        feed.emit(story.refused(
                eventId, "demo", "a key is one of the configuration keys", "workres", "did you mean workers?"));
        Locator way = page.locator("[data-event='" + eventId + "']");
        assertThat(way).containsText("a key is one of the configuration keys");
        assertThat(way).containsText("did you mean workers?");
        assertThat(way).hasAttribute("data-status", "REFUSED");
        page.locator("textarea").fill("nonsense");
        assertThat(page.locator(".problem")).containsText("key=value");
        assertThat(page.locator("button[type=submit]")).isDisabled();
    }

    @Test
    void aBrokerThatIsAwayWhilePublishingIsSaidAtTheForm() {
        story.runningJob("demo").forEach(feed::emit);
        feed.caughtUp();
        publisher.away = true;
        open(1_280, 900);
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Pause"))
                .click();
        assertThat(page.locator(".problem")).containsText("broker.test:9092 does not answer");
        assertThat(page.locator(".problem")).containsText("nothing was changed");
        consoleErrors.removeIf(error -> error.contains("503")); // the browser logs the refused request itself
    }

    @Test
    void stopAsksOnceMore() throws Exception {
        story.runningJob("demo").forEach(feed::emit);
        feed.caughtUp();
        open(1_280, 900);
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Stop…"))
                .click();
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Keep running"))
                .click();
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Stop…"))
                .click();
        assertThat(publisher.published).isEmpty();
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Stop demo"))
                .click();
        assertThat(publisher.published.poll(120, TimeUnit.SECONDS).request().changes())
                .isEqualTo(PoolStory.changes("state", "stopped"));
    }

    @ParameterizedTest
    @ValueSource(ints = {360, 768, 1_280, 3_840})
    void nothingIsWiderThanTheScreen(int width) {
        trainedJob();
        open(width, 900);
        assertThat(page.locator(".plot canvas")).hasCount(2);
        int overflow = (int) page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assertThat(overflow).as("pixels too wide at %d", width).isLessThanOrEqualTo(0);
        int smallest = (int)
                page.evaluate(
                        "Math.min(...[...document.querySelectorAll('button')].map(b => Math.round(b.getBoundingClientRect().height)))");
        assertThat(smallest).isGreaterThanOrEqualTo(24);
        page.screenshot(shot("job-" + width).setFullPage(true));
    }

    @Test
    void theLightThemeIsChosenAndKept() {
        trainedJob();
        open(1_280, 900);
        page.getByLabel("Use the light theme").click();
        assertThat(page.locator("html")).hasAttribute("data-theme", "light");
        page.reload();
        assertThat(heading("demo")).isVisible();
        assertThat(page.locator("html")).hasAttribute("data-theme", "light");
        assertThat(page.locator(".plot canvas")).hasCount(2);
        page.screenshot(shot("job-1280-light"));
    }

    /** Case F17: each kind of nothing has its own words, source and next step. */
    @Test
    void whereThereIsNothingThePageSaysWhatWasLookedAtAndWhatToDo() {
        feed.lag("decisions", 1_203);
        open(1_280, 900, "");
        assertThat(page.locator(".empty")).containsText("1,203 records to go");
        feed.caughtUp();
        assertThat(page.locator(".empty")).containsText("No job in this pool yet");
        assertThat(page.locator(".empty")).containsText("broker.test:9092");
        assertThat(page.locator(".empty")).containsText("myolotrain job submit");
        page.screenshot(shot("empty-no-job"));
        feed.unreachable("no answer within 3000 ms");
        assertThat(page.locator(".band")).containsText("Broker not reachable");
        assertThat(page.locator(".band")).containsText("no answer within 3000 ms");
        assertThat(page.locator(".card.empty")).containsText("Whether this pool has jobs is not known");
        page.screenshot(shot("empty-unreachable"));
        feed.caughtUp();
        feed.emit(story.jobAccepted("demo", 2));
        page.navigate(server.address() + "#/jobs/demo");
        assertThat(page.locator(".empty-chart").first()).containsText("No loss yet");
        assertThat(page.locator(".empty-chart").first()).containsText("myolotrain worker");
        assertThat(page.locator(".pool .empty")).containsText("No worker has joined");
        page.screenshot(shot("empty-waiting"));
        page.getByPlaceholder("Filter").fill("nothing like this");
        assertThat(page.locator(".events")).containsText("contains “nothing like this”");
        assertThat(page.locator(".events")).containsText("broker.test:9092");
        assertThat(page.url()).contains("q=nothing+like+this");
        page.navigate(server.address() + "#/jobs/foreign");
        assertThat(page.locator(".card.empty")).containsText("No job “foreign” in pool default");
    }

    @Test
    void theFilterStandsInTheAddress() {
        trainedJob();
        open(1_280, 900);
        page.getByPlaceholder("Filter").fill("w5#1");
        assertThat(page.locator(".row")).hasCount(1);
        page.reload();
        assertThat(page.locator(".row")).hasCount(1);
        assertThat(page.getByPlaceholder("Filter")).hasValue("w5#1");
    }

    /** Case F13. */
    @Test
    void everyTimeCarriesItsZoneAndUtcCanBeChosen() {
        var early = new PoolStory(1_672_647_300_792L);
        feed.emit(early.joined("w1"));
        feed.emit(early.jobAccepted("demo", 1));
        feed.caughtUp();
        page = browser.newPage(new Browser.NewPageOptions().setTimezoneId("America/Los_Angeles"));
        watchConsole();
        page.navigate(server.address());
        assertThat(page.locator(".when").first()).containsText("00:15:00.792");
        assertThat(page.locator(".when").first()).containsText("2023-01-02 UTC−08:00");
        page.getByText("Local time").click();
        assertThat(page.locator(".when").first()).containsText("08:15:00.792");
        assertThat(page.locator(".when").first()).containsText("2023-01-02 UTC");
        assertThat(page.evaluate("""
                        import('/js/format.js').then(({ dateTime }) => [
                          dateTime(1672647300792, 'UTC'), dateTime(1672647300792, 'Etc/GMT+8'), dateTime(1672647300792, 'Asia/Kolkata'),
                          dateTime(1679792399000, 'Europe/Berlin'), dateTime(1679792400000, 'Europe/Berlin'), dateTime(1672617600000, 'Etc/GMT+8')])"""))
                .isEqualTo(List.of(
                        "2023-01-02 08:15:00.792 UTC",
                        "2023-01-02 00:15:00.792 UTC−08:00",
                        "2023-01-02 13:45:00.792 UTC+05:30",
                        "2023-03-26 01:59:59.000 UTC+01:00",
                        "2023-03-26 03:00:00.000 UTC+02:00",
                        "2023-01-01 16:00:00.000 UTC−08:00"));
    }

    /** Case F04. */
    @Test
    void aLossThatIsNotFiniteIsMarkedCountedAndNotDrawn() {
        story.runningJob("demo").forEach(feed::emit);
        for (int step = 1; step <= 50; step++) {
            feed.emit(story.after(50).step("demo", 1, step, step % 5 == 0 ? 1 : Double.NaN));
        }
        feed.caughtUp();
        open(1_280, 900);
        assertThat(chart(LOSS)).containsText("40 of 50 readings are not finite, first at step 1");
        assertThat(drawn(LOSS, 1).stream().filter(java.util.Objects::nonNull)).hasSize(10);
        assertThat(drawn(LOSS, 1).get(0)).isNull();
        assertThat(plot(LOSS).evaluate("host => host.chart.marked")).isEqualTo(40);
        feed.emit(story.step("demo", 1, 51, Double.POSITIVE_INFINITY));
        feed.emit(story.step("demo", 1, 52, Double.NEGATIVE_INFINITY));
        assertThat(chart(LOSS)).containsText("42 of 52 readings are not finite");
        String csv = download(chart(LOSS).getByText("CSV"));
        assertThat(csv.lines().toList()).hasSize(53);
        assertThat(csv.lines().skip(1).findFirst().orElseThrow()).startsWith("demo,main,1,1,1,NaN,NaN,NaN,1,NaN,");
        assertThat(csv).contains("demo,main,51,51,1,+Inf,").contains("demo,main,52,52,1,-Inf,");
        page.screenshot(shot("not-finite"));
    }

    private String download(Locator button) {
        try {
            return Files.readString(page.waitForDownload(button::click).path());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void theOverviewShowsJobsHostsAndTheLatestDecisions() {
        trainedJob();
        open(1_280, 900, "");
        Locator row = page.locator("[data-job=demo]");
        assertThat(row).containsText("300 / 2,000");
        assertThat(row).containsText("running");
        assertThat(row.locator("svg.spark")).hasAttribute("data-points", "38");
        assertThat(page.locator(".hosts tbody tr")).hasCount(5);
        assertThat(page.locator(".pool tbody tr")).hasCount(5);
        assertThat(page.locator(".events .row").first()).containsText("Checkpoint of step 300");
        shots("overview");
        row.locator("a").click();
        assertThat(heading("demo")).isVisible();
        page.goBack();
        assertThat(page.locator("[data-job=demo]")).isVisible();
    }

    /** Case F07: the line never runs backwards; what was abandoned stays as a faint branch. */
    @Test
    void aResumeFromAnOlderStepLeavesAFaintBranch() {
        story.runningJob("demo").forEach(feed::emit);
        for (int step = 10; step <= 150; step += 10) {
            feed.emit(story.after(50).step("demo", 1, step, 1 + step));
        }
        feed.emit(story.planned("p2", "demo", 2, "resume from the checkpoint of step 100", "w1", "w2"));
        feed.emit(story.activated("demo", 2, 101, 900_000));
        for (int step = 110; step <= 200; step += 10) {
            feed.emit(story.after(50).step("demo", 2, step, 1_000 - step));
        }
        feed.caughtUp();
        open(1_280, 900);
        assertThat(chart(LOSS)).containsText("5 points of steps that were run again");
        assertThat(drawn(LOSS, 0))
                .isEqualTo(java.util.stream.IntStream.rangeClosed(1, 20)
                        .mapToObj(i -> (Object) (i * 10))
                        .toList());
        assertThat(drawn(LOSS, 1).get(10)).isEqualTo(890);
        assertThat(drawn(LOSS, 5).subList(10, 15)).containsExactly(111, 121, 131, 141, 151);
        assertThat(drawn(LOSS, 5).subList(0, 10)).containsOnlyNulls();
        page.screenshot(shot("resume"));
    }

    /** Case F03: while older data is read the page says up to which step, and then shows all of it. */
    @Test
    void howFarARunIsReadIsShownUntilAllOfItIs() {
        story.runningJob("demo").forEach(feed::emit);
        feed.pastsAreLong();
        feed.caughtUp();
        open(1_280, 900, "#/jobs/demo/metrics");
        assertThat(page.locator(".band")).containsText("Reading what was measured before: looking for its begin");
        var run = feed.opened().get(0).run();
        feed.emit(new ClusterFeed.RunReading(run, 3_000, false, ""));
        assertThat(page.locator(".band")).containsText("up to step 3,000");
        page.screenshot(shot("reading"));
        for (int step = 1; step <= 100; step++) {
            feed.emit(new ClusterFeed.Measured(PoolStory.point("train.loss", 1, step, 1)));
        }
        feed.emit(new ClusterFeed.RunReading(run, 100, true, ""));
        assertThat(page.locator(".band")).hasCount(0);
        assertThat(page.getByText("train.loss").first()).isVisible();
        feed.emit(new ClusterFeed.RunReading(run, 100, false, "no answer within 3000 ms"));
        assertThat(page.locator(".band")).containsText("cannot be read: no answer within 3000 ms");
    }

    /** Case F12: one dip in 60,000 points is drawn at every zoom, and the picture says that it is sampled. */
    @Test
    void aDipIsDrawnAtEveryZoom() {
        story.runningJob("demo").forEach(feed::emit);
        for (int step = 1; step <= 60_000; step++) {
            feed.emit(story.after(1).step("demo", 1, step, step == 1_234 ? 0 : 1));
        }
        feed.caughtUp();
        open(1_280, 900);
        assertThat(figure("Loss")).containsText("step 60,000");
        assertThat(chart(LOSS)).containsText("Sampled: one point per");
        assertThat(drawn(LOSS, 3)).contains(0);
        assertThat((boolean) plot(LOSS).evaluate("""
                                host => { const u = host.chart.plot; const x = Math.round(u.valToPos(1234, 'x', true));
                                  const y = Math.round(u.valToPos(0.5, 'y', true));
                                  const row = u.ctx.getImageData(x - 2, y, 205, 1).data;
                                  const at = i => row.slice(4 * i, 4 * i + 4).join();
                                  return [0, 1, 2, 3, 4].some(i => at(i) !== at(204)); }"""))
                .as("the band reaches down to the dip on the screen")
                .isTrue();
        page.navigate(server.address() + "#/jobs/demo?from=1200&to=1300");
        assertThat(chart(LOSS)).containsText("Steps 1,200 to 1,300");
        page.waitForCondition(() -> drawn(LOSS, 0).size() == 101);
        assertThat(drawn(LOSS, 1)).contains(0);
        assertThat(chart(LOSS)).not().containsText("Sampled");
        page.screenshot(shot("dip"));
    }

    @Test
    void smoothingScaleAndComparisonStandInTheAddressAndHideNothing() {
        story.runningJob("demo").forEach(feed::emit);
        for (int step = 1; step <= 50; step++) {
            feed.emit(story.after(50).step("demo", 1, step, step == 25 ? 9 : 1));
        }
        feed.emit(story.decision(new Fact.JobAccepted(PoolStory.spec("demo", "a2", 2))));
        feed.emit(story.planned("p2", "demo", 2, "submitted again", "w1", "w2"));
        feed.emit(story.activated("demo", 2, 1, 0));
        for (int step = 1; step <= 40; step++) {
            feed.emit(story.after(50).step("demo", 2, step, 2));
        }
        feed.caughtUp();
        open(1_280, 900);
        page.locator("select[name=compare]").selectOption("demo~a1");
        page.waitForCondition(() -> page.url().contains("compare=demo%7Ea1"));
        page.waitForCondition(() -> drawn(LOSS, 0).size() == 50);
        assertThat(drawn(LOSS, 6).get(24)).isEqualTo(9);
        page.locator("select[name=smooth]").selectOption("0.9");
        page.locator("input[name=log]").check();
        assertThat(chart(LOSS)).containsText("The bold line is smoothed; the thin line and the band are the readings.");
        assertThat(((Number) drawn(LOSS, 9).get(24)).doubleValue()).isBetween(1.5, 8.0);
        assertThat(drawn(LOSS, 6).get(24))
                .as("the reading itself is still drawn")
                .isEqualTo(9);
        page.reload();
        assertThat(page.locator("input[name=log]")).isChecked();
        assertThat(page.locator(".chip").first()).containsText("demo a1");
        chart(LOSS).locator(".plot-frame").focus();
        page.keyboard().press("End");
        assertThat(chart(LOSS).locator(".readout-run")).hasCount(2);
        shots("compare");
    }

    @Test
    void aComparedRunThatGoesOnIsDrawnOn() {
        story.runningJob("demo").forEach(feed::emit);
        feed.emit(story.jobAccepted("other", 2));
        feed.emit(story.planned("p2", "other", 1, "job submitted", "w3", "w4"));
        feed.emit(story.activated("other", 1, 1, 0));
        for (int step = 1; step <= 30; step++) {
            feed.emit(story.after(50).step("demo", 1, step, 1));
            if (step <= 10) {
                feed.emit(story.step("other", 1, step, 2));
            }
        }
        feed.caughtUp();
        open(1_280, 900, "#/jobs/demo?compare=other~a1");
        page.waitForCondition(
                () -> drawn(LOSS, 6).stream().filter(Objects::nonNull).count() == 10);

        for (int step = 11; step <= 20; step++) {
            feed.emit(story.after(50).step("other", 1, step, 2));
        }

        page.waitForCondition(
                () -> drawn(LOSS, 6).stream().filter(Objects::nonNull).count() == 20);
    }

    @Test
    void theKeyboardZoomsAndPans() {
        trainedJob();
        open(1_280, 900);
        chart(LOSS).locator(".plot-frame").focus();
        page.waitForCondition(() -> chart(LOSS).locator(".plot canvas").count() == 1);
        page.keyboard().press("+");
        page.waitForCondition(() -> page.url().contains("from="));
        String zoomed = page.url();
        page.keyboard().press("Shift+ArrowRight");
        page.waitForCondition(() -> !page.url().equals(zoomed));
        page.keyboard().press("Escape");
        page.waitForCondition(() -> !page.url().contains("from="));
    }

    @Test
    void theLogIsFilteredInTheAddressAndLeadsToTheCurvesAndBack() {
        trainedJob();
        feed.emit(story.refused("c9", "demo", "workers must be at least 1", "workers=0", "ask for 1 or more"));
        open(1_280, 900, "#/log");
        assertThat(page.locator(".log .row").first()).containsText("Refused: demo");
        assertThat(page.locator(".log .row").first()).containsText("ask for 1 or more");
        page.locator("select[name=only]").selectOption("plan applied");
        assertThat(page.locator(".log .row")).hasCount(2);
        assertThat(page.locator(".log .row").first()).containsText("Generation 2 applied at step 150");
        shots("log");
        page.reload();
        assertThat(page.locator(".log .row")).hasCount(2);
        page.locator(".log .row").first().getByText("curves").click();
        assertThat(heading("demo")).isVisible();
        page.waitForCondition(() -> page.url().contains("mark=150"));
        assertThat(chart(LOSS)).containsText("Steps 130 to 170");
        page.getByText("2 generation changes on the axis").click();
        page.screenshot(shot("moment").setFullPage(true));
        page.locator(".generations tbody tr").first().getByText("as it was").click();
        assertThat(page.locator(".travel")).containsText("As it was");
        assertThat(page.locator(".then-rows")).containsText("Generation 2 applied at step 150");
        page.navigate(server.address() + "#/log?q=no+such+thing");
        assertThat(page.locator(".log .empty")).containsText("matches “q=no such thing”");
        assertThat(page.locator(".log .empty")).containsText("broker.test:9092");
    }

    /** Case F19 and F13: offset and time as typed, in the chosen zone. */
    @Test
    void theLogStartsAtTheOffsetOrTimeThatIsAskedFor() {
        var early = new PoolStory(1_672_647_300_792L);
        early.runningJob("demo").forEach(feed::emit);
        for (int i = 1; i <= 5; i++) {
            feed.emit(early.after(60_000).checkpoint("demo", i));
        }
        feed.caughtUp();
        page = browser.newPage(new Browser.NewPageOptions().setTimezoneId("Asia/Kolkata"));
        watchConsole();
        page.navigate(server.address() + "#/log");
        page.locator("input[name=since]").fill("2023-01-02 13:47");
        page.waitForCondition(() -> page.url().contains("since=1672647420000"));
        assertThat(page.locator(".log .row")).hasCount(4);
        assertThat(page.locator(".log .row .when").first()).containsText("13:47:00.792");
        assertThat(page.locator(".log .row .when").first()).containsText("2023-01-02 UTC+05:30");
        page.getByText("Local time").click();
        assertThat(page.locator("input[name=since]")).hasValue("2023-01-02 13:47");
        page.reload();
        assertThat(page.locator("input[name=since]")).hasValue("2023-01-02 08:17:00.000");
        assertThat(page.locator(".log .row .when").first()).containsText("08:17:00.792");
        page.locator("input[name=from]").fill("12");
        page.locator("input[name=from]").press("Enter");
        assertThat(page.locator(".log .row")).hasCount(2);
        feed.archive.firstKept = 13;
        page.locator("input[name=from]").fill("3");
        page.locator("input[name=from]").press("Enter");
        assertThat(page.locator(".log .problem")).containsText("Offset 3 is not kept. Partition 0 holds 13 to 13");
    }

    @Test
    void theSliderShowsPoolPlanAndCurvesAsTheyWere() {
        trainedJob();
        open(1_280, 900, "#/log?at=120");
        assertThat(page.locator(".travel .readout").first()).containsText("offset 120");
        assertThat(page.locator(".then-job")).containsText("generation 1: w1, w2");
        assertThat(page.locator(".then-job dd").first()).hasText("112");
        assertThat(page.locator(".then .pool tbody tr")).hasCount(4);
        page.waitForCondition(() -> drawn("Loss of demo as it was", 0).size() == 112);
        shots("as-it-was");
        page.locator("input[name=at]").focus();
        page.keyboard().press("ArrowRight");
        assertThat(page.locator(".travel .readout").first()).containsText("offset 121");
        page.getByText("Now").click();
        assertThat(page.locator(".then")).hasCount(0);
    }

    @Test
    void aChangeIsPreviewedByThePlannerBeforeAnythingIsPublished() {
        trainedJob();
        open(1_280, 900);
        page.locator("input[name=workers]").fill("2");
        assertThat(page.locator(".preview")).containsText("4 → 2 workers: accumulation 2 → 4");
        assertThat(page.locator(".preview")).containsText("Nothing is published yet");
        page.locator(".change").screenshot(new Locator.ScreenshotOptions().setPath(SCREENSHOTS.resolve("preview.png")));
        page.locator("input[name=workers]").fill("77");
        assertThat(page.locator(".preview.refused")).containsText("workers must be at most");
        assertThat(page.locator(".preview.refused")).containsText("Next");
        assertThat(publisher.published).isEmpty();
    }

    /** Case F01: 12,345 names are searched and paged on the server, and only charts in sight ask for points. */
    @Test
    void manyMetricsAreGroupedSearchedAndPaged() {
        story.runningJob("demo").forEach(feed::emit);
        var points = new ArrayList<ClusterFeed.Item>();
        for (int i = 0; i < 12_345; i++) {
            points.add(new ClusterFeed.Measured(
                    PoolStory.point(String.format("layer.%02d.head.%05d.norm", i % 12, i), 1, i % 7, Math.sin(i))));
        }
        feed.emit(points.toArray(ClusterFeed.Item[]::new));
        feed.caughtUp();
        var asked = new CopyOnWriteArrayList<String>();
        page = browser.newPage(
                new Browser.NewPageOptions().setViewportSize(1_280, 900).setColorScheme(ColorScheme.DARK));
        watchConsole();
        page.onRequest(request -> {
            if (request.url().contains("/series?name=")) {
                asked.add(request.url());
            }
        });
        page.navigate(server.address() + "#/jobs/demo/metrics");
        assertThat(page.locator("[data-total]")).hasAttribute("data-total", "12345");
        assertThat(page.locator(".metric-tile")).hasCount(48);
        assertThat(page.locator(".metric-tile canvas[data-points]").first()).isVisible();
        assertThat(asked).hasSizeLessThan(48);
        page.getByText("layer.").first().click();
        assertThat(page.locator(".groups .chip")).hasCount(12);
        shots("metrics");
        page.locator(".metric-grid").waitFor();
        page.locator("input[name=q]").fill("HEAD.12344");
        assertThat(page.locator(".metric-tile")).hasCount(1);
        assertThat(page.locator("[data-total]")).hasAttribute("data-total", "1");
        page.locator(".metric-tile button").click();
        assertThat(page.locator(".metric-full .plot canvas")).isVisible();
        page.locator("input[name=q]").fill("nothing-like-this");
        assertThat(page.locator(".empty")).containsText("matches");
    }

    @Test
    void whatAnOutsiderWritesIsShownAsTextAndNeverRun() {
        String evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
        WorkerInfo w = PoolStory.worker("w1");
        feed.emit(story.decision(
                new Fact.WorkerAdmitted(new WorkerInfo(w.ref(), w.pool(), evil, evil, 1, 0, 1, evil, evil))));
        feed.emit(story.decision(new Fact.WorkerDrainStarted(w.ref(), evil)));
        feed.emit(story.jobAccepted("demo", 1));
        feed.emit(new ClusterFeed.Rejected("config-changes", 0, 1, 1, evil));
        feed.caughtUp();
        open(1_280, 900);
        assertThat(page.locator(".row").filter(having("because <img src=x"))).isVisible();
        assertThat(page.locator("img[src=x]")).hasCount(0);
        assertThat(page).hasTitle("Myolotrain");
        assertThat(page.locator(".fact.warn")).containsText("Rejected1");
    }

    @Test
    void theKeyboardReachesEverythingAndTheFocusIsSeen() {
        trainedJob();
        open(1_280, 900);
        assertThat(page.locator(".plot canvas")).hasCount(2);
        page.keyboard().press("Tab");
        assertThat(page.locator(".skip")).isFocused();
        var reached = new ArrayList<String>();
        for (int i = 0; i < 80; i++) {
            page.keyboard().press("Tab");
            reached.add(
                    (String)
                            page.evaluate(
                                    "document.activeElement.name || document.activeElement.className || document.activeElement.tagName"));
            assertThat((String) page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))
                    .as(reached.toString())
                    .isNotEqualTo("none");
            if (reached.contains("workers") && reached.contains("plot-frame")) {
                break;
            }
        }
        assertThat(reached).contains("plot-frame", "workers");
        chart(LOSS).locator(".plot-frame").focus();
        page.keyboard().press("End");
        assertThat(chart(LOSS).locator(".readout")).containsText("step 300");
        page.keyboard().press("ArrowLeft");
        assertThat(chart(LOSS).locator(".readout")).containsText("step 299");
        assertThat(chart(LOSS).locator(".readout")).containsText("gen. 2");
    }

    @Test
    void aServerThatRestartsIsFoundAgain() {
        story.runningJob("demo").forEach(feed::emit);
        feed.caughtUp();
        open(1_280, 900);
        assertThat(heading("demo")).isVisible();
        int port = server.port();
        server.close();
        assertThat(page.locator(".pill")).containsText("Reconnecting");
        var again = new FakeFeed();
        server = UiServer.start(again, publisher, again.archive, UiOptions.loopback(port, FakeFeed.POOL));
        var retold = new PoolStory(System.currentTimeMillis());
        retold.runningJob("demo").forEach(again::emit);
        again.emit(retold.after(50).step("demo", 1, 77, 2.0));
        again.caughtUp();
        assertThat(page.locator(".pill"))
                .containsText("Live", new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE_MS));
        assertThat(figure("Loss")).containsText("step 77");
        consoleErrors.removeIf(
                error -> error.contains("ERR_CONNECTION_REFUSED") || error.contains("ERR_INCOMPLETE_CHUNKED"));
    }

    @Test
    void aTokenIsAskedForOrTakenFromTheAddress() {
        String token = "0123456789abcdef0123";
        var quiet = new FakeFeed();
        try (var locked = UiServer.start(
                quiet,
                publisher,
                quiet.archive,
                new UiOptions("127.0.0.1", 0, FakeFeed.POOL, Optional.of(token), Optional.empty()))) {
            quiet.caughtUp();
            page = browser.newPage();
            watchConsole();
            page.navigate(locked.address());
            assertThat(page.locator("h1")).containsText("Token needed");
            page.locator("input[name=token]").fill(token);
            page.getByText("Continue").click();
            assertThat(page.locator(".pill")).containsText("Live");
            page.close();
            page = browser.newPage();
            watchConsole();
            page.navigate(locked.address() + "#token=" + token);
            assertThat(page.locator(".pill")).containsText("Live");
            assertThat(page.url()).doesNotContain(token);
        }
        consoleErrors.removeIf(error -> error.contains("401"));
    }

    private void picturedJob() {
        trainedJob();
        FrameStories.all().forEach(frame -> feed.emit(new ClusterFeed.Framed(frame)));
    }

    /** Case F05. */
    @Test
    void gradientsAreDrawnByLayerAndMagnitudeAndFaultsHaveTheirOwnColour() {
        picturedJob();
        open(1_280, 900, "#/jobs/demo/gradients");
        Locator heat = page.locator("[aria-label='Heatmap of demo']");
        assertThat(heat.locator("canvas")).isVisible();
        assertThat(heat).containsText("4,001 NaN, 3 +Inf, 0 −Inf in 3 cells, first at step 200");
        assertThat(heat.locator(".grid-host").evaluate("host => host.grid.props.columns"))
                .isEqualTo(40);
        assertThat(heat.locator(".grid-host").evaluate("host => host.grid.props.colour(4, 20).join()"))
                .as("all NaN has a colour of its own")
                .isEqualTo("214,39,90");
        assertThat(heat.locator(".grid-host").evaluate("host => host.grid.props.colour(3, 19).join()"))
                .as("one NaN among finite values keeps the colour of its norm")
                .isNotEqualTo("214,39,90");
        heat.locator(".grid-frame").focus();
        page.keyboard().press("ArrowLeft");
        assertThat(heat.locator(".readout")).containsText("step 390");
        page.keyboard().press("Enter");
        assertThat(page.locator("[aria-label='Magnitudes of the embeddings'] canvas"))
                .isVisible();
        page.waitForCondition(() -> page.url().contains("layer=-1"));
        shots("gradients");
    }

    @Test
    void headsAreDrawnAtAnyStepAndAsADifferenceAndDeadOnesAreMarked() throws Exception {
        picturedJob();
        open(1_280, 900, "#/jobs/demo/heads");
        Locator heads = page.locator("[aria-label='Attention heads of demo']");
        assertThat(heads).containsText("1 dead head (✕)");
        assertThat(heads.locator(".grid-host").evaluate("host => host.grid.props.sign(3, 5)"))
                .isEqualTo("✕");
        assertThat(heads.locator(".grid-host").evaluate("host => host.grid.props.sign(2, 5)"))
                .isEqualTo("");
        heads.getByText("Difference to another step").click();
        assertThat(heads).containsText("minus step 350");
        Locator map = page.locator("[aria-label='Attention of one head of demo']");
        assertThat(map).containsText("976 positions, and 48 of padding, which is marked.");
        assertThat(map).containsText("a cell is 8 × 8 positions, the largest weight counts");
        shots("heads");
        map.locator("input[name=layer]").fill("0");
        map.locator("input[name=head]").fill("1");
        map.getByText("Ask for its attention").click();
        assertThat(map).containsText("Asked. A worker answers after its next step");
        var asked = (io.myolotrain.core.sampling.SamplingRequest.AttentionRequest)
                publisher.asked.poll(60, TimeUnit.SECONDS);
        assertThat(asked.head()).isEqualTo(1);
        String request = (String) page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('request')");
        feed.emit(new ClusterFeed.Framed(PoolStory.frame(1, 401, 0, 1, FrameStories.attention(request, 0, 1, 64, 0))));
        assertThat(map).containsText("The sample came without labels");
        feed.emit(new ClusterFeed.Framed(PoolStory.frame(
                1,
                402,
                0,
                1,
                new io.myolotrain.core.sampling.AttentionMap(
                        FrameStories.ATTENTION, request, 0, 1, 0, List.of(), 1, List.of()))));
        page.reload();
        assertThat(page.locator("[aria-label='Attention of one head of demo']"))
                .containsText("The example is empty: 0 tokens");
        consoleErrors.removeIf(error -> error.contains("404")); // while the answer was on its way
    }

    @Test
    void theTimelineNamesStragglersAndExportsATrace() {
        picturedJob();
        open(1_280, 900, "#/jobs/demo/timeline");
        Locator timeline = page.locator(".timeline");
        assertThat(timeline).containsText("steps 398–400");
        assertThat(timeline.locator("canvas")).hasAttribute("data-spans", "84");
        assertThat(page.locator(".straggler")).containsText("Rank 2 (w3)");
        assertThat(page.locator(".slowest")).containsText("all_reduce #398 of step 398, 1.00 MiB, 7 ms after rank 2");
        assertThat(page.locator("[aria-label='Communication by rank'] tbody tr").first())
                .containsText("18.84 %");
        timeline.locator(".grid-frame").focus();
        page.keyboard().press("ArrowRight");
        page.keyboard().press("ArrowRight");
        assertThat(timeline.locator(".readout")).containsText("forward 10 ms");
        String trace = download(page.getByText("Trace for Perfetto"));
        assertThat(trace).contains("\"traceEvents\"").contains("rank 2, w3");
        shots("timeline");
        timeline.locator("input[name=to]").focus();
        page.keyboard().press("ArrowLeft");
        assertThat(timeline).containsText("steps 397–399");
    }

    private void trainedJob() {
        story.runningJob("demo").forEach(feed::emit);
        var random = new Random(7);
        for (int step = 1; step <= 300; step++) {
            if (step == 150) {
                feed.emit(story.accepted(
                        "c1",
                        "demo",
                        PoolStory.changes("workers", "4"),
                        story.planIssued("demo", 2, "workers 2 → 4", "w1", "w2", "w3", "w4")));
                feed.emit(story.after(40).activated("demo", 2, 150, 12_300));
                feed.emit(story.joined("w5"));
            }
            double loss = 1.6 + 4 * Math.exp(-step / 80.0) + random.nextGaussian() * 0.06;
            feed.emit(story.after(step < 150 ? 90 : 50).step("demo", step < 150 ? 1 : 2, step, loss));
        }
        feed.emit(story.checkpoint("demo", 300));
        feed.caughtUp();
    }

    private void open(int width, int height) {
        open(width, height, "#/jobs/demo");
    }

    private void open(int width, int height, String view) {
        page = browser.newPage(
                new Browser.NewPageOptions().setViewportSize(width, height).setColorScheme(ColorScheme.DARK));
        watchConsole();
        page.navigate(server.address() + view);
    }

    /** In dark, in light, and on a telephone. */
    private void shots(String name) {
        page.screenshot(shot(name + "-dark"));
        page.getByLabel("Use the light theme").click();
        page.screenshot(shot(name + "-light").setFullPage(true));
        page.setViewportSize(360, 800);
        page.screenshot(shot(name + "-360").setFullPage(true));
        int overflow = (int) page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assertThat(overflow).as("pixels too wide: " + name).isLessThanOrEqualTo(0);
        page.setViewportSize(1_280, 900);
        page.getByLabel("Use the dark theme").click();
    }

    /** A column of what a chart was given to draw: 0 steps, 1 last, 2 max, 3 min, 4 smoothed, 5 abandoned. */
    @SuppressWarnings("unchecked")
    private List<Object> drawn(String title, int column) {
        return (List<Object>)
                plot(title).evaluate("(host, column) => [...host.chart.data[column]].map(x => x ?? null)", column);
    }

    /** Found once it is drawn: the library that draws arrives after the page, and what is written round the picture. */
    private Locator plot(String title) {
        return chart(title).locator(".plot[data-points]");
    }

    private void watchConsole() {
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                consoleErrors.add(message.text() + " " + message.location());
            }
        });
        page.onPageError(consoleErrors::add);
        page.setDefaultTimeout(PATIENCE_MS);
    }

    private Locator heading(String job) {
        return page.locator(".job-title h2").filter(having(job));
    }

    private Locator figure(String name) {
        return page.locator(".figure")
                .filter(new Locator.FilterOptions()
                        .setHas(page.locator(".figure-name", new Page.LocatorOptions().setHasText(name))));
    }

    private Locator chart(String title) {
        return page.locator("[aria-label='" + title + "']");
    }

    private Locator worker(String id) {
        return page.locator(".pool tbody tr").filter(having(id + " #1"));
    }

    private static Locator.FilterOptions having(String text) {
        return new Locator.FilterOptions().setHasText(text);
    }

    private static Page.ScreenshotOptions shot(String name) {
        return new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png"));
    }
}
