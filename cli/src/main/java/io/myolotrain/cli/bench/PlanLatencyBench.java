package io.myolotrain.cli.bench;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** From the producer of a configuration change to a consumer of plans, over broker, sequencer, journal and coordinator. */
final class PlanLatencyBench implements Bench {
    private static final int WORKERS = 4;
    private static final int WARM_UP_ROUNDS = 100;
    private static final int ROUNDS = 400;
    private static final long ANSWER_TIMEOUT_S = 120;
    private static final int REPORT_EVERY = 50;
    private static final int WAITING_MAX = 1_024;
    private static final PoolId POOL = new PoolId("bench");
    private static final JobId JOB = new JobId("bench");

    @Override
    public String name() {
        return "plan-latency";
    }

    @Override
    public String about() {
        return "a configuration change published -> its plan read by a consumer: p50, p99";
    }

    /** @param atNanos when the consumer had it */
    private record Seen(Plan plan, long atNanos) {}

    @Override
    public Map<String, Double> run(Consumer<String> progress) throws Exception {
        progress.accept("starting broker, registry and coordinator");
        BlockingQueue<Seen> plans = new ArrayBlockingQueue<>(WAITING_MAX);
        BlockingQueue<Fact.PlanActivated> activated = new ArrayBlockingQueue<>(WAITING_MAX);
        try (TemporaryCluster cluster = new TemporaryCluster();
                Codecs codecs = Codecs.of(cluster.connection());
                TopicReader<Plan> planReader = TopicReader.open(
                        cluster.connection(), codecs, Topics.REBALANCE_PLANS, ReadFrom.beginning(), record -> {
                            plans.add(new Seen(record.value(), System.nanoTime()));
                        });
                TopicReader<Decision> decisionReader = TopicReader.open(
                        cluster.connection(), codecs, Topics.DECISIONS, ReadFrom.beginning(), record -> {
                            for (Fact fact : record.value().facts()) {
                                if (fact instanceof Fact.PlanActivated plan) {
                                    activated.add(plan);
                                }
                            }
                        });
                StandInWorkers workers = new StandInWorkers(cluster.connection(), codecs, POOL, WORKERS)) {
            planReader.caughtUp().get(ANSWER_TIMEOUT_S, TimeUnit.SECONDS);
            decisionReader.caughtUp().get(ANSWER_TIMEOUT_S, TimeUnit.SECONDS);
            workers.join();
            workers.ask(new Event.JobSubmitted(spec(), "bench"));
            settle(workers, plans, activated);
            progress.accept("measuring " + ROUNDS + " changes after " + WARM_UP_ROUNDS + " to warm up");
            double[] millis = new double[ROUNDS];
            for (int i = -WARM_UP_ROUNDS; i < ROUNDS; i++) {
                double taken = change(i, workers, plans, activated);
                if (i % REPORT_EVERY == 0) {
                    progress.accept(String.format(Locale.ROOT, "change %d: %.1f ms", i, taken));
                }
                if (i >= 0) {
                    millis[i] = taken;
                }
            }
            return figures(millis);
        }
    }

    private static double change(
            int round, StandInWorkers workers, BlockingQueue<Seen> plans, BlockingQueue<Fact.PlanActivated> activated)
            throws InterruptedException {
        var changes = new TreeMap<String, String>();
        changes.put("lr", round % 2 == 0 ? "0.001" : "0.002");
        long start = System.nanoTime();
        workers.ask(new Event.ConfigChangeRequested(JOB, changes, "bench"));
        Seen seen = settle(workers, plans, activated);
        return (seen.atNanos - start) / 1e6;
    }

    /** The next plan, put in force. */
    private static Seen settle(
            StandInWorkers workers, BlockingQueue<Seen> plans, BlockingQueue<Fact.PlanActivated> activated)
            throws InterruptedException {
        Seen seen = taken(plans, "plan");
        workers.apply(seen.plan);
        Fact.PlanActivated inForce = taken(activated, "activation");
        if (!inForce.generation().equals(seen.plan.generation())) {
            throw new IllegalStateException("each plan is put in force before the next: planned="
                    + seen.plan.generation() + " in force=" + inForce.generation());
        }
        return seen;
    }

    private static <T> T taken(BlockingQueue<T> queue, String what) throws InterruptedException {
        T item = queue.poll(ANSWER_TIMEOUT_S, TimeUnit.SECONDS);
        if (item == null) {
            throw new IllegalStateException("no " + what + " within " + ANSWER_TIMEOUT_S + " s");
        }
        return item;
    }

    private static Map<String, Double> figures(double[] millis) {
        Arrays.sort(millis);
        var figures = new LinkedHashMap<String, Double>();
        figures.put("p50Millis", millis[millis.length / 2]);
        figures.put("p99Millis", millis[millis.length * 99 / 100]);
        figures.put("maxMillis", millis[millis.length - 1]);
        figures.put("rounds", (double) millis.length);
        return figures;
    }

    private static JobSpec spec() {
        return LabGpt.spec(JOB.value(), POOL, Path.of("none"), 4, 32, WORKERS, 0);
    }
}
