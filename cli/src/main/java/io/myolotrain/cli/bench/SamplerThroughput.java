package io.myolotrain.cli.bench;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.sampling.Scalars;
import io.myolotrain.core.sampling.Window;
import io.myolotrain.sampler.SamplerApp;
import io.myolotrain.sampler.SamplerOptions;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.TopicWriter;
import io.myolotrain.topics.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A backlog of one job's readings through a real broker and the sampler's topology, exactly once, with every roll-up; in one
 * pool, and so on one stream thread. What comes out is counted: a reading that is lost or counted twice fails the benchmark.
 */
final class SamplerThroughput {
    private static final PoolId POOL = new PoolId("sampler-bench");
    private static final int NAMES = 200;
    /** Until then the compiler takes much of the second core. */
    private static final int WARM_UP_RECORDS = 2_000_000;

    private static final int RECORDS = 2_000_000;
    private static final int BATCH_VALUES = 25;
    private static final int BATCHES = 160_000;
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final long POLL_MS = 5;
    private static final long STEP_MS = 50;

    private final TemporaryCluster cluster;
    private final Consumer<String> progress;
    private final List<String> names = new ArrayList<>();
    private final Random random = new Random(1);

    SamplerThroughput(TemporaryCluster cluster, Consumer<String> progress) {
        this.cluster = cluster;
        this.progress = progress;
        for (int i = 0; i < NAMES; i++) {
            names.add(
                    i % 4 == 0 ? "gradient.norm.layer" + i : i % 20 == 1 ? "comm.all_reduce." + i : "train.value." + i);
        }
    }

    Map<String, Double> measure() throws Exception {
        long singles = (long) WARM_UP_RECORDS + RECORDS;
        progress.accept(String.format(Locale.ROOT, "writing %,d readings, a record each", singles));
        write("singles", singles, 1);
        var figures = new LinkedHashMap<String, Double>();
        figures.put("recordsPerSecond", rate(singles, WARM_UP_RECORDS, 1));
        progress.accept(String.format(Locale.ROOT, "writing %,d records of %d readings", BATCHES, BATCH_VALUES));
        write("batches", BATCHES, BATCH_VALUES);
        figures.put("batchedReadingsPerSecond", rate(BATCHES, BATCHES / 10, BATCH_VALUES));
        verify(singles + (long) BATCHES * BATCH_VALUES);
        return figures;
    }

    private void write(String job, long records, int valuesPerRecord) {
        var line = new Line(POOL, new JobId(job), "bench", new Generation(1));
        long startMs = System.currentTimeMillis();
        try (Codecs codecs = Codecs.of(cluster.connection());
                Producers producers = Producers.open(cluster.connection(), codecs, "bench")) {
            TopicWriter<Reading> writer = producers.writer(Topics.METRIC_SAMPLES);
            for (long record = 0; record < records; record++) {
                long first = record * valuesPerRecord;
                long step = 1 + first / NAMES;
                var values = new ArrayList<Scalars.Scalar>(valuesPerRecord);
                for (int i = 0; i < valuesPerRecord; i++) {
                    values.add(new Scalars.Scalar(names.get((int) ((first + i) % NAMES)), random.nextGaussian()));
                }
                var origin = new Origin(line, step, new WorkerId("w0"), 0, startMs + step * STEP_MS);
                writer.send(POOL.value(), new Reading(origin, new Scalars(values)));
            }
            producers.flush();
            if (producers.failures() > 0) {
                throw new IllegalStateException("every record must be written: lost=" + producers.failures());
            }
        }
    }

    /** Readings per second between the end of the warm-up and the last record. */
    private double rate(long records, long warmUp, int valuesPerRecord) throws InterruptedException {
        try (var sampler = SamplerApp.start(
                cluster.connection(), SamplerOptions.in(cluster.directory().resolve("sampler")))) {
            await(sampler, warmUp);
            long before = taken(sampler);
            long began = System.nanoTime();
            await(sampler, records);
            double seconds = (System.nanoTime() - began) / 1e9;
            double rate = (records - before) * valuesPerRecord / seconds;
            progress.accept(String.format(
                    Locale.ROOT, "%,.0f readings/s: %s", rate, sampler.health().counts()));
            return rate;
        }
    }

    private static void await(SamplerApp sampler, long records) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (taken(sampler) < records) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the sampler must get through: taken=" + taken(sampler) + " of "
                        + records + " trouble=" + sampler.health().trouble());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    private static long taken(SamplerApp sampler) {
        return sampler.health().counts().getOrDefault("records", 0L);
    }

    /** Newer selves replace, parts add up; the sampler publishes what is incomplete a second after the last reading. */
    private void verify(long readings) throws Exception {
        var latest = new HashMap<String, Long>(); // summed up only
        try (var sampler = SamplerApp.start(
                        cluster.connection(),
                        SamplerOptions.in(cluster.directory().resolve("sampler")));
                Codecs codecs = Codecs.of(cluster.connection());
                TopicReader<MetricPoint> reader = TopicReader.open(
                        cluster.connection(), codecs, Topics.METRIC_SERIES, ReadFrom.beginning(), record -> {
                            MetricPoint point = record.value();
                            if (point.pool().equals(POOL)
                                    && (point.window().equals(Window.steps(10))
                                            || point.window().equals(Window.millis(1_000)))
                                    && !point.name().startsWith("sampler.")) {
                                synchronized (latest) {
                                    latest.put(
                                            point.job() + "/" + point.name() + "/" + point.bucket() + "/"
                                                    + point.part(),
                                            point.count());
                                }
                            }
                        })) {
            long deadline = System.nanoTime() + PATIENCE_NANOS / 10;
            while (sum(latest) != readings) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("every reading must be in a roll-up once: read=" + sum(latest)
                            + " written=" + readings + " sampler="
                            + sampler.health().state());
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS * 10);
            }
            progress.accept(String.format(Locale.ROOT, "every one of %,d readings is in its roll-up once", readings));
        }
    }

    private static long sum(Map<String, Long> counts) {
        synchronized (counts) {
            return counts.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
