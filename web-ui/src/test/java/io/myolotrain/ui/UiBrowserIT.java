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
        server = UiServer.start(feed, publisher, UiOptions.loopback(0, FakeFeed.POOL));
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
    void newPointsArriveWithoutAReload() {
        trainedJob();
        open(1_280, 900);
        assertThat(figure("Loss")).containsText("step 300");
        String before = chart("Loss").locator(".plot-frame").getAttribute("aria-label");
        for (int step = 301; step <= 340; step++) {
            feed.emit(story.after(50).step("demo", 2, step, 1.25));
        }
        assertThat(figure("Loss")).containsText("step 340");
        assertThat(figure("Loss")).containsText("1.25");
        assertThat(chart("Loss").locator(".plot-frame"))
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
        open(1_280, 900);
        assertThat(page.locator(".empty")).containsText("1,203 records to go");
        feed.caughtUp();
        assertThat(page.locator(".empty")).containsText("No job in this pool yet");
        assertThat(page.locator(".empty")).containsText("broker.test:9092");
        assertThat(page.locator(".empty")).containsText("myolotrain job submit");
        page.screenshot(shot("empty-no-job"));
        feed.unreachable("no answer within 3000 ms");
        assertThat(page.locator(".band")).containsText("Broker not reachable");
        assertThat(page.locator(".band")).containsText("no answer within 3000 ms");
        feed.caughtUp();
        feed.emit(story.jobAccepted("demo", 2));
        assertThat(page.locator(".empty-chart").first()).containsText("No loss yet");
        assertThat(page.locator(".empty-chart").first()).containsText("myolotrain worker");
        assertThat(page.locator(".pool .empty")).containsText("No worker has joined");
        page.screenshot(shot("empty-waiting"));
        page.getByPlaceholder("Filter").fill("nothing like this");
        assertThat(page.locator(".events")).containsText("contains “nothing like this”");
        assertThat(page.url()).contains("q=nothing+like+this");
        page.navigate(server.address() + "#/jobs/foreign");
        assertThat(page.locator(".empty")).containsText("No job “foreign” in pool default");
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
        assertThat(chart("Loss")).containsText("40 of 50 readings are not finite, first at step 1");
        page.screenshot(shot("not-finite"));
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
        for (int i = 0; i < 40; i++) {
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
        chart("Loss").locator(".plot-frame").focus();
        page.keyboard().press("End");
        assertThat(chart("Loss").locator(".readout")).containsText("step 300");
        page.keyboard().press("ArrowLeft");
        assertThat(chart("Loss").locator(".readout")).containsText("step 299");
        assertThat(chart("Loss").locator(".readout")).containsText("gen. 2");
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
        server = UiServer.start(again, publisher, UiOptions.loopback(port, FakeFeed.POOL));
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
        try (var locked =
                UiServer.start(quiet, publisher, new UiOptions("127.0.0.1", 0, FakeFeed.POOL, Optional.of(token)))) {
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
        page = browser.newPage(
                new Browser.NewPageOptions().setViewportSize(width, height).setColorScheme(ColorScheme.DARK));
        watchConsole();
        page.navigate(server.address());
    }

    private void watchConsole() {
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                consoleErrors.add(message.text());
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
        return page.locator("[aria-label='" + title + " of demo']");
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
