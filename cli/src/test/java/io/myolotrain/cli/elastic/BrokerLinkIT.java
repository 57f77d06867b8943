package io.myolotrain.cli.elastic;

import static io.myolotrain.cli.elastic.TestJob.GLOBAL_BATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.myolotrain.cli.chaos.PacketDelay;
import io.myolotrain.cli.chaos.PacketLoss;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.WorkerInfo;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Case D05: the network between the workers and the log is bad, what passes between the workers is not. Peers hear each
 * other, so nobody is evicted, training goes on, and what was reported meanwhile arrives afterwards, each step once.
 */
class BrokerLinkIT {
    private static final int WORKERS = 3;
    /** More than any of these runs takes: each is told its end when the weather is fine again. */
    private static final long ENDLESS = 100_000;

    private static final long STEPS_AFTERWARDS = 25;
    /** Longer than the deadline after which a worker without peers would be given up. */
    private static final Duration CUT = Duration.ofSeconds(8);

    private static final long STEPS_WHILE_BAD = 12;
    /** Each way. */
    private static final Duration DELAY = Duration.ofMillis(200);

    @TempDir
    static Path directory;

    private static RelayedLink link;
    private static TestPool pool;
    private static Path corpus;

    @BeforeAll
    static void startPool() throws Exception {
        corpus = TestJob.corpus(directory);
        link = new RelayedLink("127.0.0.1");
        pool = new TestPool(directory, WORKERS, link);
    }

    @AfterAll
    static void stopPool() throws Exception {
        if (pool != null) {
            pool.close();
        }
        if (link != null) {
            link.close();
        }
    }

    private static JobSpec submit(String name) {
        JobSpec spec = TestJob.spec(name, pool.pool(), WORKERS, corpus, ENDLESS);
        pool.submitWhenIdle(spec, WORKERS);
        return spec;
    }

    @Test
    void delaysAndACutLinkEvictNobodyAndChangeNoBit() throws Exception {
        JobSpec spec = submit("slow-and-cut");
        pool.awaitStep(spec.job(), 10);
        int before = pool.decisions().size();
        WorkerInfo member =
                pool.job(spec.job()).active().orElseThrow().members().get(0).worker();
        link.delay(DELAY);
        whileBad("200 ms delay", member);
        link.delay(Duration.ZERO);

        link.cut();
        long atCut = stepAt(member);
        await().during(CUT).atMost(CUT.multipliedBy(3)).until(() -> evictions(before)
                .isEmpty());
        long atHeal = stepAt(member);
        link.heal();
        assertThat(atHeal - atCut).as("steps while nothing passed to the log").isPositive();
        tellCatchUp("a cut of " + CUT.toSeconds() + " s", spec, atHeal);

        endsAsUndisturbed(spec, before, atHeal + STEPS_AFTERWARDS);
    }

    @Test
    void packetLossEvictsNobodyAndChangesNoBit() throws Exception {
        Optional<String> obstacle = PacketLoss.obstacle();
        assumeTrue(obstacle.isEmpty(), () -> "packets cannot be dropped here: " + obstacle.orElse(""));
        JobSpec spec = submit("lossy");
        pool.awaitStep(spec.job(), 10);
        int before = pool.decisions().size();
        WorkerInfo member =
                pool.job(spec.job()).active().orElseThrow().members().get(0).worker();
        for (double share : new double[] {0.1, 0.3, 0.5}) {
            try (PacketLoss loss = PacketLoss.onLoopback(link.port(), share)) {
                whileBad(Math.round(share * 100) + " % packet loss", member);
            }
        }
        long atHeal = stepAt(member);
        tellCatchUp("packet loss", spec, atHeal);

        endsAsUndisturbed(spec, before, atHeal + STEPS_AFTERWARDS);
    }

    /** Unlike a slow link: every connection is cut when the delay begins, and again when it ends. */
    @Test
    void packetDelayEvictsNobodyAndChangesNoBit() throws Exception {
        Optional<String> obstacle = PacketDelay.obstacle();
        assumeTrue(obstacle.isEmpty(), () -> "packets cannot be delayed here: " + obstacle.orElse(""));
        JobSpec spec = submit("late");
        pool.awaitStep(spec.job(), 10);
        int before = pool.decisions().size();
        WorkerInfo member =
                pool.job(spec.job()).active().orElseThrow().members().get(0).worker();
        try (PacketDelay delay = PacketDelay.onLoopback(link.port(), DELAY)) {
            whileBad("200 ms packet delay", member);
            tellCatchUp("12 steps of packet delay", spec, stepAt(member));
        }
        long atHeal = stepAt(member);
        tellCatchUp("the end of the packet delay", spec, atHeal);

        endsAsUndisturbed(spec, before, atHeal + STEPS_AFTERWARDS);
    }

    /** The worker itself says how far it is: the log hears of it later. */
    private static void whileBad(String weather, WorkerInfo member) throws Exception {
        long from = stepAt(member);
        long began = System.nanoTime();
        await(STEPS_WHILE_BAD + " steps under " + weather)
                .atMost(TestPool.PATIENCE)
                .until(() -> stepAt(member) >= from + STEPS_WHILE_BAD);
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(Locale.ROOT, "broker link: %s: %.1f steps/s%n", weather, (stepAt(member) - from) / seconds);
    }

    private static void tellCatchUp(String weather, JobSpec spec, long step) {
        long healed = System.nanoTime();
        pool.awaitStep(spec.job(), step);
        System.out.printf(
                Locale.ROOT,
                "broker link: after %s the log knew step %d after %d ms%n",
                weather,
                step,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healed));
    }

    private static void endsAsUndisturbed(JobSpec spec, int decisionsBefore, long steps) throws Exception {
        String disturbed = pool.finalHashAt(spec, steps);
        assertThat(evictions(decisionsBefore)).isEmpty();
        pool.assertEverySampleIsConsumedExactlyOnce(spec.job(), steps * GLOBAL_BATCH);
        JobSpec quiet = submit(spec.job() + "-undisturbed");
        assertThat(disturbed).isEqualTo(pool.finalHashAt(quiet, steps));
    }

    private static List<Fact> evictions(int decisionsBefore) {
        List<Decision> all = pool.decisions();
        return all.subList(decisionsBefore, all.size()).stream()
                .flatMap(decision -> decision.facts().stream())
                .flatMap(fact -> fact instanceof Fact.WorkerRemoved
                                || fact instanceof Fact.WorkersSuspected
                                || fact instanceof Fact.GenerationBroken
                        ? Stream.of(fact)
                        : Stream.empty())
                .toList();
    }

    private static long stepAt(WorkerInfo worker) throws Exception {
        var request = HttpRequest.newBuilder(
                        URI.create("http://" + worker.address() + ":" + worker.httpPort() + "/health"))
                .build();
        String body = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
        return new ObjectMapper().readTree(body).get("committedStep").asLong();
    }
}
